// SPDX-License-Identifier: GPL-3.0-or-later
// The page of a problem: loads its tree into the player, and its answer when it is wanted.
"use strict";

(function () {
  const root = TsumeDom.find(document, ".player");
  const { problem = "", sfen = "", length = "", rating = "", api = "" } = root.dataset;
  const played = { sfen, length: Number(length), address: api };
  const details = TsumeDom.find(document, ".answer");
  const answer = new TsumeAnswer(details, played, {
    opened: () => player.giveUp(),
    line: () => opening.then(() => player.line, () => []),
    look: (shown) => player.look(shown),
  });
  const player = new TsumePlayer(root, {
    sfen,
    ended: (result) => {
      document.querySelector(".tp-next")?.classList.add("tp-do");
      answer.open();
      if (location.hash === "#answer") return; // it was solved, or given up, in training
      const facts = { problem, sfen, length: Number(length), rating: Number(rating), mode: /** @type {const} */ ("free") };
      window.TsumeTrainer.record({ ...facts, ...result }).catch(() => {}); // this browser has it
    },
  });
  TsumeDom.find(root, ".tp-side").append(details); // beside the board
  const opening = player.open(played);
  opening.catch(() => {}); // the player says why
  if (location.hash === "#answer") answer.open();
})();
