// The list: which problems were solved in this browser, and the results as CSV.
"use strict";

(function () {
  const language = document.documentElement.lang;
  const { all, forget, streak, csv } = window.TsumeResults;
  const place = document.querySelector(".results");

  function say(name, parts = {}) {
    return window.TSUME_WORDS[language][name].replace(/\{(\w+)\}/g, (_, part) => parts[part]);
  }

  function button(name, act) {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = say(name);
    made.addEventListener("click", act);
    return made;
  }

  function save() {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([csv()], { type: "text/csv" }));
    link.download = "tsume-results.csv";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  function show() {
    const solved = new Set(all().map(({ sfen }) => sfen));
    for (const item of document.querySelectorAll("[data-sfen]")) {
      item.querySelector(".solved").textContent = solved.has(item.dataset.sfen) ? "✓ " + say("web.is_solved") : "";
    }
    place.hidden = !solved.size;
    const told = document.createElement("p");
    told.textContent = say("web.solved_count", { count: solved.size, streak: streak() });
    place.replaceChildren(told, button("web.csv", save), button("web.forget", () => {
      if (confirm(say("web.forget_question"))) forget();
      show();
    }));
  }

  show();
})();
