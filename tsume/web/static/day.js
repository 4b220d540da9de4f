// SPDX-License-Identifier: GPL-3.0-or-later
// The problem of the day on the first page; training.js plays it and keeps its result.
"use strict";

(async function () {
  const { say } = TsumePhrases;
  const { make, find } = TsumeDom;
  const place = find(document, ".day");
  const trainer = /** @type {ServerTrainer} */ (window.TsumeTrainer); // a site has the rotation in a script
  const rotation = window.TSUME_DAYS || await trainer.days().catch(() => []);
  const problem = TsumeDays.problemOf(rotation, TsumeDays.text(new Date()));
  if (!problem) return;
  const [id, length, rating, stars] = problem;

  /** @param {string | undefined} pattern an address with 0 for the number of the problem */
  function address(pattern = "") {
    return pattern.replace(/\b0\b/, String(id));
  }

  find(place, "ul").append(make("li", {}, make("a", { href: `${place.dataset.page}#mode=day` },
    make("img", { src: address(place.dataset.picture), width: 470, height: 448, alt: "" }),
    make("span", { class: "name" }, say("web.number", { id })),
    make("span", { class: "facts" }, say("web.mate_in", { length }) + " " + `${say("web.difficulty")} ${rating} `,
      make("span", { role: "img", "aria-label": say("web.stars", { stars }) }, "★".repeat(stars) + "☆".repeat(5 - stars)),
      ` ${say(`difficulty.stars_${stars}`)}`))));
  place.hidden = false;
})();
