// The problem of the day: the same for everybody on the same date, without a server.
// TSUME_DAYS lists problems (number, moves, stars) in an order that gives nothing away; a day takes the next one.
"use strict";

(function () {
  const { say } = window.TsumeShared;
  const place = document.querySelector(".day");
  const now = new Date();
  const day = Math.round(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / 86_400_000);
  const [id, length, stars] = window.TSUME_DAYS[day % window.TSUME_DAYS.length];

  function make(name, attributes, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  }

  function address(pattern) {
    return pattern.replace(/0(?=\.\w+$)/, id);
  }

  place.querySelector("ul").append(make("li", {}, make("a", { href: address(place.dataset.page) },
    make("img", { src: address(place.dataset.picture), width: 470, height: 448, alt: "" }),
    make("span", { class: "name" }, say("web.number", { id })),
    make("span", { class: "facts" }, say("web.mate_in", { length }) + " ",
      make("span", { role: "img", "aria-label": say("web.stars", { stars }) }, "★".repeat(stars))))));
  place.hidden = false;
})();
