// SPDX-License-Identifier: GPL-3.0-or-later
// Requests to the server: JSON, streams of JSON lines, and a sentence for the user if one fails.
//
// A request that the server is too busy for is repeated a few times, unless the server says that the failure is final.
"use strict";

/**
 * @typedef {{signal?: AbortSignal, busy?: () => void, keepalive?: boolean}} PostOptions
 *   busy is called before a request is repeated; keepalive: the request goes on when the page is left
 */

const TsumeRequests = (function () {
  const { localized, language } = TsumePhrases;
  const { RequestError, PHRASES, isAbort } = TsumeErrors;
  const TRIES = 5;

  /** @param {string} address @param {unknown} body @param {PostOptions} [options] */
  function post(address, body, { signal, busy, keepalive } = {}) {
    const headers = { "Content-Type": "application/json" };
    return request(address, { method: "POST", headers, body: JSON.stringify(body), signal, keepalive }, busy);
  }

  /** @param {string} address */
  function get(address) {
    return request(address, {});
  }

  /** @param {string} address */
  function remove(address) {
    return request(address, { method: "DELETE" });
  }

  // The diagram of a position.
  /** @param {string} sfen */
  function diagramAddress(sfen) {
    return `/api/diagram.svg?${new URLSearchParams({ sfen, lang: language })}`;
  }

  /** @param {string} address @param {RequestInit} options @param {() => void} [busy] */
  async function request(address, options, busy = () => {}) {
    for (let tries = TRIES; ; tries -= 1) {
      const response = await connected(fetch(address, options));
      if (response.ok) return response;
      const error = await errorOf(response);
      if (error.phrase !== "web.busy" || tries === 1) throw error;
      busy();
      await pause(1000 * (Number(response.headers.get("Retry-After")) || 2), options.signal);
    }
  }

  /** @param {Response} response */
  async function errorOf(response) {
    const answer = /** @type {ErrorAnswer} */ (await response.json().catch(() => ({})));
    const phrase = PHRASES[answer.code || ""] ||
      (response.status !== 503 ? null : answer.final ? "web.too_long" : "web.busy");
    if (phrase || !answer.error) return new RequestError(phrase || "web.failed", { answer });
    return new RequestError(null, { message: localized(answer.error), answer });
  }

  /** @param {Response} response @returns {Promise<any>} */
  function json(response) {
    return connected(response.json());
  }

  /** @param {Response} response */
  function text(response) {
    return connected(response.text());
  }

  /**
   * What a connection brings; a lost connection is a RequestError.
   * @template Result
   * @param {Promise<Result>} pending
   */
  async function connected(pending) {
    try {
      return await pending;
    } catch (error) {
      if (isAbort(error)) throw error;
      throw new RequestError("web.no_answer");
    }
  }

  /** @param {number} milliseconds @param {AbortSignal | null} [signal] */
  function pause(milliseconds, signal) {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, milliseconds);
      signal?.addEventListener("abort", () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
    });
  }

  // The objects of an NDJSON response, each as soon as its line has arrived.
  /** @param {Response} response */
  async function* lines(response) {
    const reader = /** @type {ReadableStream} */ (response.body).pipeThrough(new TextDecoderStream()).getReader();
    let incomplete = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      const parts = (incomplete + value).split("\n");
      incomplete = parts.pop() || "";
      for (const part of parts) if (part.trim()) yield JSON.parse(part);
    }
    if (incomplete.trim()) yield JSON.parse(incomplete);
  }

  return { post, get, remove, json, text, lines, diagramAddress };
})();
