// How the pages ask the server: JSON, streams of JSON lines, and the words of what goes wrong.
//
// Who asks may give an AbortSignal. What cannot be had is `Refused`, an error with a sentence for people. Who is
// busy is asked again a few times, who gave up for good ("final") is not.
"use strict";

(function () {
  const { language, say } = window.TsumeShared;
  const TRIES = 5;

  const CODES = { not_here: "compose.not_here", read_only: "compose.read_only" };

  // `phrase` is the name of the sentence, or null where the server's own words say what is wrong with the question.
  class Refused extends Error {
    constructor(phrase, { text = say(phrase), answer = {} } = {}) {
      super(text);
      this.phrase = phrase;
      this.answer = answer;
    }
  }

  // A text in both languages, or one for all.
  function words(text) {
    return text && typeof text === "object" ? text[language] : String(text);
  }

  function post(address, body, { signal, busy } = {}) {
    const headers = { "Content-Type": "application/json" };
    return answered(address, { method: "POST", headers, body: JSON.stringify(body), signal }, busy);
  }

  function get(address) {
    return answered(address, {});
  }

  async function answered(address, options, busy = () => {}) {
    for (let tries = TRIES; ; tries -= 1) {
      const answer = await unlessCut(fetch(address, options));
      if (answer.ok) return answer;
      const refused = await refusal(answer);
      if (refused.phrase !== "web.busy" || tries === 1) throw refused;
      busy();
      await pause(1000 * (Number(answer.headers.get("Retry-After")) || 2), options.signal);
    }
  }

  async function refusal(answer) {
    const told = await answer.json().catch(() => ({}));
    const phrase = CODES[told.code] || (answer.status !== 503 ? null : told.final ? "web.too_long" : "web.busy");
    if (phrase || !told.error) return new Refused(phrase || "web.failed", { answer: told });
    return new Refused(null, { text: words(told.error), answer: told });
  }

  // What an answer holds.
  function json(answer) {
    return unlessCut(answer.json());
  }

  function text(answer) {
    return unlessCut(answer.text());
  }

  // What a connection brings; it may be cut at any time.
  async function unlessCut(bringing) {
    try {
      return await bringing;
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Refused("web.no_answer");
    }
  }

  function pause(milliseconds, signal) {
    return new Promise((resolve, reject) => {
      const waiting = setTimeout(resolve, milliseconds);
      signal?.addEventListener("abort", () => {
        clearTimeout(waiting);
        reject(signal.reason);
      });
    });
  }

  // The objects of an NDJSON answer, each as soon as its line is there.
  async function* lines(answer) {
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let kept = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      const parts = (kept + value).split("\n");
      kept = parts.pop();
      for (const part of parts) if (part.trim()) yield JSON.parse(part);
    }
    if (kept.trim()) yield JSON.parse(kept);
  }

  window.TsumeAsking = { words, post, get, json, text, lines, Refused };
})();
