// SPDX-License-Identifier: GPL-3.0-or-later
// Reply trees on a site in a folder: the first one of a short problem lies beside its page, the solver in the browser is
// asked for everything else. tree_request.js asks the server.
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

  // The tree beside the page: with it a problem can be played while the solver is still being loaded, or without it.
  /** @param {PlayedProblem} problem */
  async function stored({ sfen, address }) {
    if (!address) return null;
    try {
      await TsumeDom.addScript(address);
    } catch {
      return null; // without a network, on a page that was not visited
    }
    return window.TSUME_TREES?.[sfen] || null;
  }

  /** @param {PlayedProblem} problem */
  async function load(problem) {
    const before = running.play_tree;
    const tree = await stored(problem);
    if (!tree) return running.play_tree === before ? newest("play_tree", problem, []) : null;
    for (const used of ["pointerdown", "keydown"]) { // 2 MB: not before somebody plays
      window.addEventListener(used, () => TsumeLocalSolver.start().catch(() => {}), { once: true }); // who asks it is told
    }
    return tree;
  }

  return {
    load,
    loadAfter: (problem, moves) => newest("play_tree", problem, moves),
    choices: (problem, moves) => newest("position", problem, moves),
    commentary: ({ sfen }, line) => TsumeLocalSolver.ask("commentary", { sfen, line }),
  };
})();
