// SPDX-License-Identifier: GPL-3.0-or-later
// The page of a problem: loads its tree into the player, and its answer when it is wanted. In a frame of another page
// (#embed) there is only the board.
"use strict";

(function () {
  document.documentElement.classList.toggle("embed", location.hash === "#embed");
  const root = TsumeDom.find(document, ".player");
  const { problem = "", sfen = "", length = "", rating = "", api = "" } = root.dataset;
  const played = { sfen, length: Number(length), address: api };
  const details = TsumeDom.find(document, ".answer");
  const answer = new TsumeAnswer(details, played, {
    opened: () => player.giveUp(),
    line: () => opening.then(() => player.line, () => []),
    look: (shown) => player.look(shown),
  });
  const { said, recording } = TsumeAttempts.toldRecording(
    { problem, sfen, length: Number(length), rating: Number(rating), mode: "free" });
  const player = new TsumePlayer(root, {
    sfen, recording,
    ended: (result) => {
      document.querySelector(".tp-next")?.classList.add("tp-do");
      answer.open(result.isSolved);
      if (location.hash !== "#answer") recording.ended(result); // else it was solved, or given up, in training
    },
  });
  root.prepend(TsumeDom.find(document, ".heading")); // beside the board, with all that follows
  TsumeDom.find(root, ".tp-result").after(said);
  TsumeDom.find(root, ".tp-buttons").append(...document.querySelectorAll(".tp-next"));
  TsumeDom.find(root, ".tp-moves").after(details);
  TsumeDom.find(root, ".tp-more").append(...document.querySelectorAll(".compose, .share"));
  const opening = player.open(played);
  opening.catch(() => {}); // the player says why
  if (location.hash === "#answer") answer.open();

  const share = TsumeDom.find(document, ".share");
  const { href } = new URL(location.pathname, location.href);
  const embed = /** @type {HTMLTextAreaElement | null} */ (share.querySelector("[name=embed]"));
  const link = TsumeDom.make("p", {}, TsumeDom.make("a", { href }, document.title));
  if (embed) embed.value = `<iframe src="${href}#embed" width="440" height="660" style="border: 0" loading="lazy"></iframe>\n${link.outerHTML}`;
  TsumeDom.find(share, "button").addEventListener("click", async () => {
    if (navigator.share && matchMedia("(pointer: coarse)").matches) {
      await navigator.share({ title: document.title, url: href }).catch(() => {}); // closed without sharing
      return;
    }
    const isCopied = await TsumeClipboard.copy(href, TsumeDom.find(share, "div"));
    TsumeDom.find(share, "[role=status]").textContent = isCopied ? TsumePhrases.say("web.share_copied") : "";
  });
})();
