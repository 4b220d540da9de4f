// SPDX-License-Identifier: GPL-3.0-or-later
// The list of problems: marks those that are solved, and saves the results of this browser as CSV.
"use strict";

(function () {
  const { say } = TsumePhrases;
  const { make, button, find, download } = TsumeDom;
  const { all, forget, solvedPositions, streak, csv } = TsumeResults;
  const place = find(document, ".results");

  function save() {
    download(new Blob([csv()], { type: "text/csv" }), "tsume-results.csv");
  }

  function show() {
    const solved = solvedPositions();
    mark(({ sfen = "" }) => solved.has(sfen));
    place.hidden = !all().length;
    const summary = make("p", {}, say("web.solved_count", { count: solved.size, streak: streak() }));
    place.replaceChildren(summary, button(say("web.csv"), save), button(say("web.forget"), () => {
      if (confirm(say("web.forget_question"))) forget();
      show();
    }));
  }

  /** @param {(item: DOMStringMap) => boolean} isSolved */
  function mark(isSolved) {
    for (const item of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-sfen]"))) {
      find(item, ".solved").textContent = isSolved(item.dataset) ? "✓ " + say("web.is_solved") : "";
    }
  }

  // Where somebody is signed in, the marks are that person's.
  async function markForPerson() {
    const { person, keeps } = await window.TsumeTrainer.me();
    if (!person || keeps !== "server") return;
    const solved = new Set((await window.TsumeTrainer.progress()).solved_ids.map(String));
    if (person.name || solved.size) mark(({ problem = "" }) => solved.has(problem));
  }

  show();
  if (window.TsumeTrainer) markForPerson().catch(() => {}); // then those of this browser stay
})();
