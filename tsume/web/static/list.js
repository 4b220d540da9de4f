// SPDX-License-Identifier: GPL-3.0-or-later
// The list of problems: marks those that are solved, counts them, and saves results as CSV. On a server they are those of
// the person who is signed in, or of this machine; where that is nobody, and on a site, they are those of this browser.
// #list=3,17&title=... at the end of the address shows these problems in this order instead.
"use strict";

(function () {
  const { say } = TsumePhrases;
  const { make, button, find, download, addScript } = TsumeDom;
  const { all, forget, solvedPositions, streak, csv } = TsumeResults;
  const place = find(document, ".results");
  const here = /** @type {HTMLScriptElement} */ (document.currentScript).src;

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

  // Shows problems chosen by their numbers: the first card is the pattern.
  async function showChosen() {
    const { list = "", title = "" } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
    const ids = /^\d+(,\d+)*$/.test(list) ? list.split(",").map(Number) : [];
    const pattern = /** @type {HTMLElement | null} */ (document.querySelector(".problems li"));
    if (!ids.length || !pattern || !trainer) return;
    if (!trainer.csv) await addScript(here.replace(/[^/]+$/, "problems.js"));
    const problems = await trainer.problems(ids);
    const number = new RegExp(`problems/${pattern.dataset.problem}\\b`, "g");
    find(document, ".problems").replaceChildren(...problems.map(({ id, sfen, title: name, mate_in: length, stars }) => {
      const made = /** @type {HTMLElement} */ (pattern.cloneNode(true));
      Object.assign(made.dataset, { sfen, problem: id });
      for (const [holder, attribute] of /** @type {const} */ ([[made, "data-line"], [find(made, "a"), "href"], [find(made, "img"), "src"]])) {
        holder.setAttribute(attribute, (holder.getAttribute(attribute) || "").replace(number, `problems/${id}`));
      }
      const texts = { name: `${say("web.number", { id })} ${name}`, facts: length };
      for (const [part, text] of Object.entries(texts)) find(made, `.${part}`).textContent = text;
      find(made, ".stars").replaceWith(TsumePhrases.starsOf(stars));
      return made;
    }));
    document.body.classList.add("has-chosen");
    const [offer, heading] = [find(document, ".sheet-offer"), find(document, "#problems")];
    offer.dataset.title = title || offer.dataset.title;
    heading.replaceChildren(offer.dataset.title || "", make("a", { class: "facts", href: offer.dataset.train + location.hash },
      say("web.solve_chosen", { number: problems.length })));
  }

  document.querySelector(".list-filter")?.addEventListener("change", ({ target, currentTarget }) => {
    if (target instanceof HTMLSelectElement) /** @type {HTMLFormElement} */ (currentTarget).requestSubmit(); // as the choices above act at once
  });
  for (const one of document.querySelectorAll(".choices [aria-current]")) { // a row that scrolls shows what is chosen
    const row = /** @type {HTMLElement} */ (one.closest("ul"));
    row.scrollLeft = /** @type {HTMLElement} */ (one).offsetLeft - row.offsetLeft - row.clientWidth / 2;
  }
  const trainer = /** @type {ServerTrainer | undefined} */ (window.TsumeTrainer);
  showChosen().catch(() => {}).then(() => (trainer?.csv ? showPerson(trainer).catch(showThisBrowser) : showThisBrowser()));
})();
