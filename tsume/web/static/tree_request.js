// Loads reply trees from the server. tree_script.js does the same for a site in a folder.
"use strict";

window.TsumeTrees = (function () {
  const { get, json, text: textOf, RequestError } = TsumeRequests;

  /**
   * Rejects with an Error whose message is the name of a phrase.
   * @param {string} address
   * @returns {Promise<ReplyTree>}
   */
  async function load(address) {
    try {
      return await json(await get(address));
    } catch (error) {
      throw new Error((error instanceof RequestError && error.phrase) || "web.failed", { cause: error });
    }
  }

  /**
   * A part of a page.
   * @param {string} address
   */
  async function text(address) {
    return textOf(await get(address));
  }

  /**
   * The tree after some moves; if the last one is a check, the tree says what it does. Rejects as `load` does.
   * @param {string} address
   * @param {string[]} moves
   */
  function loadAfter(address, moves) {
    return load(after(address, moves));
  }

  /**
   * What each move leads to after some moves.
   * @param {string} address
   * @param {string[]} moves
   * @returns {Promise<Choices>}
   */
  async function choices(address, moves) {
    return json(await get(after(address, moves)));
  }

  /**
   * @param {string} address
   * @param {string[]} moves
   */
  function after(address, moves) {
    return moves.length ? `${address}?${new URLSearchParams({ moves: moves.join(",") })}` : address;
  }

  return { load, loadAfter, text, choices };
})();
