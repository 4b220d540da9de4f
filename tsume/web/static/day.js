// SPDX-License-Identifier: GPL-3.0-or-later
// The problem of the day on the board of the first page; its result is kept as in training.
"use strict";

(async function () {
  const { say } = TsumePhrases;
  const { make, find } = TsumeDom;
  const place = find(document, ".day");
  const trainer = /** @type {Trainer} */ (window.TsumeTrainer);
  const day = TsumeDays.text(new Date());

  // An address with the number of a problem in place of 0.
  /** @param {"api" | "page"} name @param {number} id */
  function address(name, id) {
    return (place.dataset[name] || "").replace(/\b0\b/, String(id));
  }

  // A site has the rotation in a script; the first position is the name of the tree beside the problem's page.
  async function today() {
    if (!window.TSUME_DAYS) return (await trainer.next({ mode: "day", day })).problem;
    const known = TsumeDays.problemOf(window.TSUME_DAYS, day);
    if (!known) return null;
    const [id, length, rating, stars] = known;
    await TsumeDom.addScript(address("api", id));
    return { id, length, rating, stars, sfen: Object.keys(window.TSUME_TREES || {})[0] };
  }

  const problem = await today().catch(() => null);
  if (!problem) return;
  const { id, length, rating, stars, sfen } = problem;
  const isSolved = TsumeResults.solvedPositions().has(sfen);
  const heading = find(place, "h2");
  heading.append(say("web.day"), " ", make("a", { href: address("page", id) }, say("web.number", { id })), " ",
    make("span", { class: "facts" }, `${say("web.mate_in", { length })}\u00a0· `,
      make("span", { class: "more" }, `${say("web.difficulty")} ${rating} `),
      TsumePhrases.starsOf(stars),
      make("span", { class: "more" }, ` ${say(`difficulty.stars_${stars}`)}`)), isSolved ? ` ✓ ${say("web.is_solved")}` : "");
  place.hidden = false;

  const root = find(place, ".player");
  const { said, recording } = TsumeAttempts.toldRecording({ problem: String(id), sfen, length, rating, mode: "day", day });
  const player = new TsumePlayer(root, {
    sfen, recording,
    ended: (result) => {
      another.classList.add("tp-do");
      recording.ended(result);
    },
  });
  const ways = find(document, ".ways");
  const another = make("a", { class: isSolved ? "tp-next tp-do" : "tp-next", href: `${find(ways, ".tf-train", HTMLAnchorElement).href}#mode=training` }, say("web.another"));
  if (TsumePhrases.language === "en") { // whoever reads Japanese can read the pieces
    const change = () => TsumeSettings.set("pieces", TsumeSettings.get("pieces") === "moves" ? "kanji" : "moves");
    find(document, ".front > p").append(" ", TsumeDom.button(say("web.show_moves"), change, { class: "tf-moves" }));
  }
  root.prepend(heading);
  find(root, ".tp-result").after(said);
  find(root, ".tp-buttons").append(another);
  find(root, ".tp-more").replaceWith(...document.querySelectorAll(".tf-easy"), ways); // beside the board
  player.open({ sfen, length, address: address("api", id) }).catch(() => {}); // the player says why
})();
