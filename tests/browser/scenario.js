// SPDX-License-Identifier: GPL-3.0-or-later
// Uses the API in a page, step by step; the page's text says how it went. The page has loaded tsume.js as a script.
"use strict";

(async function () {
  const { Solver, TsumeError } = globalThis.Tsume;
  const steps = [];
  const output = /** @type {HTMLElement} */ (document.getElementById("steps"));

  /**
   * The name of the error that a request rejects with.
   * @param {Promise<unknown>} request
   */
  function failure(request) {
    return request.then(() => "answered", (error) => (error instanceof TsumeError ? error.code : error.name));
  }

  try {
    const solver = new Solver({ memory: 32 });
    const first = solver.solve("a");
    steps.push((await first).result);
    steps.push((await solver.check("a")).findings[0].text);
    steps.push(await failure(solver.solve("nonsense")));
    const control = new AbortController();
    const stopped = failure(solver.ask("forever", {}, { signal: control.signal }));
    const waiting = solver.explain("b");
    setTimeout(() => control.abort(), 50);
    steps.push(await stopped, (await waiting).memory);
    steps.push(await failure(solver.ask("trap")), await failure(solver.ask("overflow")));
    solver.ask("forever").catch(() => {});
    solver.stop();
    steps.push((await solver.solve("c")).result);
    const closed = failure(solver.ask("forever"));
    solver.close();
    steps.push(await closed, await failure(solver.solve("d")));
    output.textContent = steps.join(" ");
  } catch (error) {
    output.textContent = `failed after ${steps.join(" ")}: ${error}`;
  }
})();
