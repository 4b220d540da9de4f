// SPDX-License-Identifier: GPL-3.0-or-later
// The problem of the day on the board of the first page; its result is kept as in training.
"use strict";

(async function () {
  const { say } = TsumePhrases;
  const { make, find } = TsumeDom;
  const place = find(document, ".day");
  const trainer = /** @type {ServerTrainer} */ (window.TsumeTrainer);
  const rotation = window.TSUME_DAYS || await trainer.days().catch(() => []); // a site has it in a script
  const day = TsumeDays.text(new Date());
  const problem = TsumeDays.problemOf(rotation, day);
  if (!problem) return;
  const [id, length, rating, stars] = problem;

  /** @param {string | undefined} pattern an address with 0 for the number of the problem */
  function address(pattern = "") {
    return pattern.replace(/\b0\b/, String(id));
  }

  // The first position: a site has it as the name of the tree beside the page.
  async function start() {
    if (!window.TSUME_DAYS) return (await trainer.next({ mode: "day", day, solved: 0, not: [] })).problem?.sfen;
    await TsumeDom.addScript(address(place.dataset.api));
    return Object.keys(window.TSUME_TREES || {})[0];
  }

  const sfen = await start().catch(() => "");
  if (!sfen) return;
  find(place, "h2").append(say("web.day"), " ", make("a", { href: address(place.dataset.page) }, say("web.number", { id })), " ",
    make("span", { class: "facts" }, `${say("web.mate_in", { length })} · ${say("web.difficulty")} ${rating} `,
      make("span", { role: "img", "aria-label": say("web.stars", { stars }) }, "★".repeat(stars) + "☆".repeat(5 - stars)),
      ` ${say(`difficulty.stars_${stars}`)}`));
  place.hidden = false;

  const said = make("p", { class: "tp-rating", "aria-live": "polite" });
  /** @param {Recorded | null} recorded */
  const tell = (recorded) => { said.textContent = recorded ? TsumeAttempts.changeText(recorded) : ""; };
  const root = find(place, ".player");
  const recording = TsumeAttempts.recording({ problem: String(id), sfen, length, rating, mode: "day", day }, {
    settled: tell, ended: tell,
    failed: (error) => { said.textContent = error instanceof Error ? error.message : ""; },
  });
  const player = new TsumePlayer(root, {
    sfen, recording,
    ended: (result) => {
      ways.classList.add("tf-now");
      recording.ended(result);
    },
  });
  const ways = find(document, ".ways");
  if (!TsumeStorage.remembered("tsume.signs")) { // whoever has chosen pieces knows them
    const shows = TsumeDom.button(say("web.show_moves"), () => {
      TsumeSettings.set("pieces", "moves");
      shows.remove();
    }, { class: "tf-moves" });
    find(document, ".front > p").append(" ", shows);
  }
  find(root, ".tp-side").append(said, ways); // beside the board
  player.open({ sfen, length, address: address(place.dataset.api) }).catch(() => {}); // the player says why
})();
