// The page of a problem: gets its tree and hands it to the player.
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

  if (tree) window.TsumeTrees.load(tree).then((got) => player.load(got), (error) => player.fail(error.message));
  else player.fail("web.no_tree");
})();
