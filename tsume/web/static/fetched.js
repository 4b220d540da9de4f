// Trees from the server, which may be busy: TsumeTrees.load(address) promises a tree.
"use strict";

(function () {
  const TRIES = 5;
  const PAUSE = 2000; // milliseconds

  // Raises an Error that is called as the phrase that says why.
  async function load(address, tries = TRIES) {
    let answer;
    try {
      answer = await fetch(address);
    } catch {
      throw new Error("web.failed");
    }
    if (answer.ok) return answer.json();
    if (answer.status !== 503) throw new Error("web.failed");
    if (tries === 1) throw new Error("web.busy");
    await new Promise((resolve) => { setTimeout(resolve, PAUSE); });
    return load(address, tries - 1);
  }

  window.TsumeTrees = { load };
})();
