// The page of a problem: loads its tree into the player.
"use strict";

(function () {
  const root = TsumeDom.find(document, ".player");
  const { problem = "", sfen = "", tree, next } = root.dataset;
  const { load, loadAfter } = window.TsumeTrees;
  const player = new TsumePlayer(root, {
    sfen, next, solved: (result) => TsumeResults.add({ problem, sfen, ...result }),
    more: tree && loadAfter ? (moves) => loadAfter(tree, moves) : undefined,
  });

  if (tree) load(tree).then((loaded) => player.load(loaded), (error) => player.fail(error.message));
  else player.fail("web.no_tree");
})();
