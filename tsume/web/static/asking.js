// How the pages ask the server: JSON, streams of JSON lines, and the words of what goes wrong.
//
// Who asks may give an AbortSignal. What cannot be had is `Refused`, an error with a sentence for people. Who is
// busy is asked again a few times.
"use strict";

(function () {
  const language = document.documentElement.lang;
  const TRIES = 5;

  class Refused extends Error {
    constructor(text, answer = {}) {
      super(text);
      this.answer = answer;
    }
  }

  function say(name, parts = {}) {
    return window.TSUME_WORDS[language][name].replace(/\{(\w+)\}/g, (_, part) => parts[part]);
  }

  // An element by name, its class, and what it holds (texts stay texts).
  function element(name, className = "", ...children) {
    const made = document.createElement(name);
    if (className) made.className = className;
    made.append(...children);
    return made;
  }

  function button(text, act) {
    const made = element("button", "", text);
    made.type = "button";
    made.addEventListener("click", act);
    return made;
  }

  // A text in both languages, or one for all.
  function words(text) {
    return text && typeof text === "object" ? text[language] : String(text);
  }

  async function post(address, body, { signal, busy = () => {} } = {}) {
    const options = {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal,
    };
    for (let tries = TRIES; ; tries -= 1) {
      const answer = await asked(address, options);
      if (answer.ok) return answer;
      const refused = await refusal(answer);
      if (answer.status !== 503 || refused.isFinal || tries === 1) throw refused;
      busy();
      await pause(1000 * (Number(answer.headers.get("Retry-After")) || 2), signal);
    }
  }

  async function get(address) {
    const answer = await asked(address, {});
    if (!answer.ok) throw await refusal(answer);
    return answer;
  }

  async function asked(address, options) {
    try {
      return await fetch(address, options);
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Refused(say("compose.no_answer"));
    }
  }

  async function refusal(answer) {
    const told = await answer.json().catch(() => ({}));
    const { error = say("web.failed") } = told;
    if (answer.status !== 503) return new Refused(error, told);
    const isFinal = error.includes("too long"); // to ask again would take as long
    return Object.assign(new Refused(say(isFinal ? "compose.too_long" : "web.busy"), told), { isFinal });
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

  window.TsumeAsking = { language, say, words, element, button, post, get, lines, Refused };
})();
