// SPDX-License-Identifier: GPL-3.0-or-later
// Asks the solver in the browser for reply trees: a site in a folder has no others. tree_request.js asks the server.
"use strict";

window.TsumeTrees = (function () {
  const { isAbort, RequestError } = TsumeErrors;
  /** @type {Record<string, AbortController>} */
  const running = {}; // by kind

  /**
   * What follows some moves; null if another request of this kind came before the answer. Rejects with an Error whose
   * message is the name of a phrase.
   * @param {"play_tree" | "position"} kind
   * @param {PlayedProblem} problem
   * @param {string[]} moves
   */
  async function newest(kind, { sfen, length }, moves) {
    running[kind]?.abort();
    running[kind] = new AbortController();
    try {
      return await TsumeLocalSolver.ask(kind, { sfen, length, moves }, { signal: running[kind].signal });
    } catch (error) {
      if (isAbort(error)) return null;
      throw new Error((error instanceof RequestError && error.phrase) || "web.failed", { cause: error });
    }
  }

  return {
    load: (problem) => newest("play_tree", problem, []),
    loadAfter: (problem, moves) => newest("play_tree", problem, moves),
    choices: (problem, moves) => newest("position", problem, moves),
    commentary: ({ sfen }, line) => TsumeLocalSolver.ask("commentary", { sfen, line }),
  };
})();
