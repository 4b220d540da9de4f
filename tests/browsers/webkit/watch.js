// SPDX-License-Identifier: GPL-3.0-or-later
// Reports errors of a page to the proxy that the page came through.
"use strict";

(function () {
  /** @param {string} kind @param {unknown} error */
  function report(kind, error) {
    const body = JSON.stringify({ kind, text: String(error), url: "" });
    fetch("/of-the-proxy/fault", { method: "POST", body, keepalive: true });
  }

  addEventListener("error", (event) => report("pageerror", event.error || event.message));
  addEventListener("unhandledrejection", (event) => report("pageerror", event.reason));
  const say = console.error;
  console.error = (...words) => {
    say.apply(console, words);
    report("console", words.join(" "));
  };
})();
