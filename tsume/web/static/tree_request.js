// SPDX-License-Identifier: GPL-3.0-or-later
// Loads reply trees from the server. tree_solver.js has them from the solver in the browser.
"use strict";

window.TsumeTrees = (function () {
  const { get, json, text: textOf } = TsumeRequests;
  const { RequestError } = TsumeErrors;

  // A part of a page.
  /** @param {string} address */
  async function text(address) {
    return textOf(await get(address));
  }

  /**
   * What the server says of a problem after some moves. Rejects with an Error whose message is the name of a phrase.
   * @param {PlayedProblem} problem
   * @param {"tree" | "position"} name
   * @param {string[]} moves
   */
  async function after({ address }, name, moves) {
    const query = moves.length ? `?${new URLSearchParams({ moves: moves.join(",") })}` : "";
    try {
      return await json(await get(`${address}/${name}${query}`));
    } catch (error) {
      throw new Error((error instanceof RequestError && error.phrase) || "web.failed", { cause: error });
    }
  }

  return {
    text,
    load: (problem) => after(problem, "tree", []),
    loadAfter: (problem, moves) => after(problem, "tree", moves),
    choices: (problem, moves) => after(problem, "position", moves),
  };
})();
