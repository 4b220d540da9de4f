// Loads reply trees from the server. tree_script.js does the same for a site in a folder.
"use strict";

window.TsumeTrees = (function () {
  const { get, json, RequestError } = TsumeRequests;

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
   * The tree after some moves; if the last one is a check, the tree says what it does. Rejects as `load` does.
   * @param {string} address
   * @param {string[]} moves
   */
  function loadAfter(address, moves) {
    return load(`${address}?${new URLSearchParams({ moves: moves.join(",") })}`);
  }

  return { load, loadAfter };
})();
