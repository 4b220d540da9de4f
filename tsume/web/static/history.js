// SPDX-License-Identifier: GPL-3.0-or-later
// Problems with diagrams on the training page: those of a run that has ended, and those tried before.
"use strict";

const TsumeHistory = (function () {
  const { make, find } = TsumeDom;
  const { say, localized, starsOf } = TsumePhrases;
  const [FIRST, STEP] = [6, 12]; // problems shown at first, and by each press of "More"

  // A problem with its diagram, what came of it, and the way to its answer.
  /** @param {RunOutcome} outcome @param {string} address with 0 for the number @param {string} picture likewise */
  function card({ problem: { sfen, title, mate_in: length, rating, stars, page: own, id }, came }, address, picture) {
    const at = (/** @type {string} */ pattern) => pattern.replace(/\b0\b/, String(id));
    const name = own ? say("training.own") : `${say("web.number", { id })} ${title}`.trim();
    return make("li", { class: `tr-${came}` },
      make("a", { href: own || at(address) },
        own ? TsumeBoardDrawing.diagram(TsumePosition.Position.fromSfen(sfen), null, "") : make("img", { src: at(picture), width: 366, height: 450, loading: "lazy", alt: "" }),
        make("span", { class: "name" }, name), make("span", { class: "facts" }, length), ...(stars ? [make("span", { class: "facts" }, `${rating} `, starsOf(stars))] : []),
        make("span", { class: "tr-came" }, say(`training.run_${came}`))),
      ...(own || came === "open" ? [] : [make("a", { class: "tr-see", href: `${at(address)}#answer`, "aria-label": `${name}: ${say("training.answer")}` }, say("training.answer"))]));
  }

  return class {
    /** @param {HTMLElement} root */
    constructor(root) {
      this._root = root;
      this._list = find(root, "ul");
      this._select = find(root, "select", HTMLSelectElement);
      this._more = find(root, "[data-act=more]");
      this._shown = FIRST;
      /** @type {Progress["tried"]} */
      this._tried = [];
      this._select.addEventListener("change", () => this._show(FIRST));
      this._more.addEventListener("click", () => this._show(this._shown + STEP));
    }

    /** @param {RunOutcome[]} outcomes */
    cards(outcomes) {
      const { page = "", picture = "" } = this._list.dataset;
      return outcomes.map((one) => card(one, page, picture));
    }

    /** @param {Progress} progress */
    update({ tried, by_theme }) {
      const failed = tried.filter((one) => one.failed).length;
      const chosen = this._tried.length ? this._select.value : failed ? "failed" : "tried";
      this._tried = tried;
      this._root.hidden = !tried.length;
      const option = (/** @type {string} */ value, /** @type {string} */ list, /** @type {number} */ count) => make("option", { value }, say("training.list_of", { list, count }));
      const themes = by_theme.map(({ theme, name, solved }) => option(theme, localized(name), solved));
      this._select.replaceChildren(option("failed", say("training.list_failed"), failed), option("tried", say("training.list_tried"), tried.length),
        make("optgroup", { label: say("training.by_theme") }, ...themes));
      this._select.value = chosen;
      if (!this._select.value) this._select.value = "tried"; // another person has other themes
      this._show(this._shown);
    }

    get _wanted() {
      const { value } = this._select;
      return this._tried.filter(({ failed, themes }) => value === "tried" || (value === "failed" ? failed : themes.includes(value)));
    }

    /** @param {number} number */
    async _show(number) {
      const [wanted, { value }] = [this._wanted, this._select];
      this._shown = number;
      this._more.hidden = wanted.length <= number;
      const came = new Map(wanted.map(({ problem, solved, failed }) => [problem, !solved ? "failed" : failed ? "helped" : "solved"]));
      const problems = await window.TsumeTrainer.problems([...came.keys()].slice(0, number)).catch(() => []);
      if (value !== this._select.value || number !== this._shown) return;
      this._list.replaceChildren(...this.cards(problems.map((problem) => ({ problem, came: /** @type {RunOutcome["came"]} */ (came.get(problem.id)) }))));
    }
  };
})();
