// SPDX-License-Identifier: GPL-3.0-or-later
// Requests that wait for their answer.
"use strict";

/**
 * @typedef {(event: any) => void} OnEvent called with each event of a request that is answered by a stream
 * @typedef {{id: number, kind: string, fields: object, event: OnEvent | null,
 *   resolve: (answer: any) => void, reject: (reason: unknown) => void}} PendingRequest
 */

const TsumePending = (function () {
  const { TsumeError } = TsumeWorkers;

  /** @param {unknown} value */
  function isObject(value) {
    return typeof value === "object" && value !== null && !Array.isArray(value);
  }

  /**
   * Throws a TsumeError unless the parts of a request have their types. What the fields mean is left to the worker.
   * @param {unknown} kind
   * @param {unknown} fields
   * @param {unknown} signal
   */
  function requireRequest(kind, fields, signal) {
    if (typeof kind !== "string") throw new TsumeError("kind: a text is needed", "input");
    if (!isObject(fields)) throw new TsumeError("fields: an object is needed", "input");
    if (signal !== undefined && signal !== null && !(signal instanceof AbortSignal)) {
      throw new TsumeError("signal: an AbortSignal is needed", "input");
    }
  }

  /**
   * The options of a call. Throws a TsumeError unless they are an object or left out.
   * @template {object} Options
   * @param {Options | null | undefined} options
   * @returns {Partial<Options>}
   */
  function givenOptions(options) {
    if (options === undefined || options === null) return {};
    if (!isObject(options)) throw new TsumeError("options: an object is needed", "input");
    return options;
  }

  /**
   * A request whose fields are those that have a value.
   * @param {PendingRequest} request
   * @returns {PendingRequest}
   */
  function pendingRequest(request) {
    const fields = Object.fromEntries(Object.entries(request.fields).filter(([, value]) => value !== undefined));
    return { ...request, fields };
  }

  /**
   * Let a signal abort a request until it is settled.
   * @param {PendingRequest} request
   * @param {AbortSignal | undefined} signal
   * @param {(reason: unknown) => void} abort
   */
  function listen(request, signal, abort) {
    if (!signal) return;
    const { resolve, reject } = request;
    const act = () => abort(signal.reason);
    const release = () => signal.removeEventListener("abort", act);
    request.resolve = (answer) => { release(); resolve(answer); };
    request.reject = (reason) => { release(); reject(reason); };
    signal.addEventListener("abort", act);
  }

  function abortError() {
    return new DOMException("the request was stopped", "AbortError");
  }

  return { givenOptions, requireRequest, pendingRequest, listen, abortError };
})();
