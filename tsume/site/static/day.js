// The problem of the day: the same for everybody on the same date, without a server.
// TSUME_DAYS lists problems (number, moves, stars) in an order that gives nothing away; each day takes the next one.
"use strict";

(function () {
  const { say } = TsumePhrases;
  const { make, find } = TsumeDom;
  const place = find(document, ".day");
  const now = new Date();
  const day = Math.round(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / 86_400_000);
  const [id, length, stars] = TSUME_DAYS[day % TSUME_DAYS.length];

  /** @param {string | undefined} pattern an address with 0 for the number of the problem */
  function address(pattern = "") {
    return pattern.replace(/0(?=\.\w+$)/, String(id));
  }

  find(place, "ul").append(make("li", {}, make("a", { href: address(place.dataset.page) },
    make("img", { src: address(place.dataset.picture), width: 470, height: 448, alt: "" }),
    make("span", { class: "name" }, say("web.number", { id })),
    make("span", { class: "facts" }, say("web.mate_in", { length }) + " ",
      make("span", { role: "img", "aria-label": say("web.stars", { stars }) }, "★".repeat(stars))))));
  place.hidden = false;
})();
