// SPDX-License-Identifier: GPL-3.0-or-later
// The page of a problem that was opened from a list (#list=moves-5-easy): the next problem is that list's, and the link
// to the start leads back to it.
"use strict";

(function () {
  const PROBLEMS = "problems.js"; // beside this script
  const here = /** @type {HTMLScriptElement} */ (document.currentScript).src;
  const name = new URLSearchParams(location.hash.slice(1)).get("list");
  const [, kind, value, easy] = /^(all|moves|theme)(?:-((?!easy$)[\w-]+?))?(-easy)?$/.exec(name || "") || [];
  if (!kind) return;

  const script = document.createElement("script");
  script.src = here.replace(/[^/]+$/, PROBLEMS);
  script.addEventListener("load", follow);
  document.head.append(script);

  function follow() {
    const { problem } = TsumeDom.find(document, ".player").dataset;
    const ids = listed().map(([id]) => id);
    const index = ids.indexOf(Number(problem));
    if (index < 0) return; // a large site trains with some of its problems only
    for (const link of document.querySelectorAll(".home, [href$='#problems']")) {
      link.setAttribute("href", name === "all" ? "../index.html#problems" : `../lists/${name}.html`);
    }
    document.querySelector(".tp-next")?.remove(); // the one in the order of the site
    const following = ids[index + 1];
    if (following === undefined) return;
    const href = `${following}.html#list=${name}`;
    const place = document.querySelector(".tp-buttons") || TsumeDom.find(document, ".heading");
    place.append(TsumeDom.make("a", { class: "tp-next", rel: "next", href }, TsumePhrases.say("web.next")));
  }

  // The problems of the list in its order: as listed, or the easiest first.
  function listed() {
    const problems = (window.TSUME_PROBLEMS || []).filter(([, , length, , , , themes]) => (
      kind === "all" || (kind === "moves" ? String(length) === value : themes.includes(value))));
    return easy || kind === "theme" ? problems.sort((one, other) => one[7] - other[7]) : problems;
  }
})();
