// Loads reply trees from scripts beside the pages, which call TsumeTree: a page from file:// may not fetch.
"use strict";

window.TsumeTrees = (function () {
  /**
   * Rejects with an Error whose message is the name of a phrase.
   * @param {string} address
   * @returns {Promise<ReplyTree>}
   */
  function load(address) {
    return new Promise((resolve, reject) => {
      const fail = () => reject(new Error("web.failed"));
      const script = document.createElement("script");
      window.TsumeTree = resolve;
      script.src = address;
      script.addEventListener("error", fail);
      script.addEventListener("load", fail); // has no effect if the script has called TsumeTree
      document.head.append(script);
    });
  }

  return { load };
})();
