// SPDX-License-Identifier: GPL-3.0-or-later
// Answers the questions of the page by the real solver, one after the other; writes what comes to the page.
"use strict";

(async function () {
  const { Solver } = /** @type {any} */ (globalThis).Tsume;
  const questions = JSON.parse(/** @type {HTMLElement} */ (document.getElementById("questions")).textContent || "[]");
  const found = [];
  try {
    const solver = new Solver();
    await solver.ready;
    document.title = `ready after ${Math.round(performance.now())} ms`;
    for (const { kind, ...fields } of questions) {
      found.push(await solver.ask(kind, fields));
    }
    solver.close();
  } catch (error) {
    found.push(String(error));
  }
  /** @type {HTMLElement} */ (document.getElementById("answers")).textContent = JSON.stringify(found);
  document.body.dataset.state = "done";
})();
