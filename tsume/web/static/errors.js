// SPDX-License-Identifier: GPL-3.0-or-later
// What can go wrong with a request, to the server or to the solver in the browser: a message for the user.
"use strict";

const TsumeErrors = (function () {
  const { say } = TsumePhrases;
  /** @type {Record<string, string>} */
  const PHRASES = { // by error code
    not_here: "web.not_here", read_only: "web.read_only",
    unknown_text: "compose.unknown_text", no_position: "compose.no_position",
  };

  // A request that failed; the message is for the user.
  class RequestError extends Error {
    /**
     * @param {string | null} phrase the name of the message; null if the message is the answerer's own
     * @param {{message?: string, answer?: ErrorAnswer}} [details]
     */
    constructor(phrase, { message = say(phrase || "web.failed"), answer = {} } = {}) {
      super(message);
      this.phrase = phrase;
      this.answer = answer;
    }
  }

  /** @param {unknown} error */
  function isAbort(error) {
    return error instanceof Error && error.name === "AbortError";
  }

  return { RequestError, PHRASES, isAbort };
})();
