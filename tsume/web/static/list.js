// SPDX-License-Identifier: GPL-3.0-or-later
// The list of problems: marks those that are solved, counts them, and saves results as CSV. On a server they are those of
// the person who is signed in, or of this machine; where that is nobody, and on a site, they are those of this browser.
"use strict";

(function () {
  const { say } = TsumePhrases;
  const { make, button, find, download } = TsumeDom;
  const { all, forget, solvedPositions, streak, csv } = TsumeResults;
  const place = find(document, ".results");

  /** @param {string} text */
  function save(text) {
    download(new Blob([text], { type: "text/csv" }), "tsume-results.csv");
  }

  function showThisBrowser() {
    const solved = solvedPositions();
    mark(({ sfen = "" }) => solved.has(sfen));
    place.hidden = !all().length;
    const summary = make("p", {}, say("web.solved_count", { count: solved.size, streak: streak() }));
    place.replaceChildren(summary, button(say("web.csv"), () => save(csv())), button(say("web.forget"), () => {
      if (confirm(say("web.forget_question"))) forget();
      showThisBrowser();
    }));
  }

  /** @param {(item: DOMStringMap) => boolean} isSolved */
  function mark(isSolved) {
    for (const item of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-sfen]"))) {
      find(item, ".solved").textContent = isSolved(item.dataset) ? "✓ " + say("web.is_solved") : "";
    }
  }

  /** @param {ServerTrainer} trainer */
  async function showPerson(trainer) {
    const { person } = await trainer.me();
    if (!person) {
      showThisBrowser();
      return;
    }
    const progress = await trainer.progress();
    const solved = new Set(progress.solved_ids.map(String));
    mark(({ problem = "" }) => solved.has(problem));
    place.hidden = !progress.results;
    const count = say("web.solved_count", { count: solved.size, streak: progress.streak });
    const said = make("p", { role: "alert" });
    const saving = () => trainer.csv().then(save, (error) => { said.textContent = error.message; });
    place.replaceChildren(make("p", {}, person.name ? `${person.name}: ${count}` : count), button(say("web.csv"), saving), said);
  }

  const trainer = /** @type {ServerTrainer | undefined} */ (window.TsumeTrainer);
  if (trainer?.csv) showPerson(trainer).catch(showThisBrowser);
  else showThisBrowser();
})();
