// The list of problems: marks those that are solved in this browser, and saves the results as CSV.
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
    for (const item of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-sfen]"))) {
      find(item, ".solved").textContent = solved.has(item.dataset.sfen || "") ? "✓ " + say("web.is_solved") : "";
    }
    place.hidden = !all().length;
    const summary = make("p", {}, say("web.solved_count", { count: solved.size, streak: streak() }));
    place.replaceChildren(summary, button(say("web.csv"), save), button(say("web.forget"), () => {
      if (confirm(say("web.forget_question"))) forget();
      show();
    }));
  }

  show();
})();
