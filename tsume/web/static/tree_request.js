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

  return { load, text };
})();
