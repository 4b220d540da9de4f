// The list: which problems were solved in this browser, and the results as CSV.
"use strict";

(function () {
  const { say, element, button, download } = window.TsumeShared;
  const { all, forget, streak, csv } = window.TsumeResults;
  const place = document.querySelector(".results");

  function save() {
    download(new Blob([csv()], { type: "text/csv" }), "tsume-results.csv");
  }

  function show() {
    const solved = new Set(all().map(({ sfen }) => sfen));
    for (const item of document.querySelectorAll("[data-sfen]")) {
      item.querySelector(".solved").textContent = solved.has(item.dataset.sfen) ? "✓ " + say("web.is_solved") : "";
    }
    place.hidden = !solved.size;
    const told = element("p", "", say("web.solved_count", { count: solved.size, streak: streak() }));
    place.replaceChildren(told, button(say("web.csv"), save), button(say("web.forget"), () => {
      if (confirm(say("web.forget_question"))) forget();
      show();
    }));
  }

  show();
})();
