// The page of a problem: fetches its tree and hands it to the player.
"use strict";

(function () {
  const root = document.querySelector(".player");
  const { problem, sfen, tree, next } = root.dataset;
  const player = new window.TsumePlayer(root, {
    sfen,
    next,
    language: document.documentElement.lang,
    solved: (result) => window.TsumeResults.add({ problem, sfen, ...result }),
  });
  const TRIES = 5;

  async function load(tries) {
    let answer;
    try {
      answer = await fetch(tree);
    } catch {
      player.fail("web.failed");
      return;
    }
    if (answer.ok) {
      player.load(await answer.json());
    } else if (answer.status === 503 && tries > 1) {
      setTimeout(load, 2000, tries - 1);
    } else {
      player.fail(answer.status === 503 ? "web.busy" : "web.failed");
    }
  }

  load(TRIES);
})();
