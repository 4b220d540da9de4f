// Trees from the server: TsumeTrees.load(address) promises a tree.
"use strict";

(function () {
  const { get, json } = window.TsumeAsking;

  // Raises an Error that is called as the phrase that says why.
  async function load(address) {
    try {
      return await json(await get(address));
    } catch (error) {
      throw new Error(error.phrase || "web.failed");
    }
  }

  window.TsumeTrees = { load };
})();
