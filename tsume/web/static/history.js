// SPDX-License-Identifier: GPL-3.0-or-later
// Problems with diagrams on the training page: those of a run that has ended, and those tried before.
"use strict";

const TsumeHistory = (function () {
  const { make, find } = TsumeDom;
  const { say, localized } = TsumePhrases;
  const [FIRST, STEP] = [6, 12]; // problems shown at first, and by each press of "More"

  /**
   * A problem with its diagram, what came of it, and the way to its answer.
   * @param {TrainingProblem} problem
   * @param {"solved" | "failed" | "open"} came
   * @param {(name: "page" | "picture") => string} address
   */
  function card({ sfen, title, mate_in: length, rating, stars, page: own, id }, came, address) {
    const page = own || address("page");
    const picture = own ? TsumeBoardDrawing.diagram(TsumePosition.Position.fromSfen(sfen), null, "")
      : make("img", { src: address("picture"), width: 470, height: 448, loading: "lazy", alt: "" });
    const name = own ? say("training.own") : [say("web.number", { id }), title].join(" ");
    const answer = make("a", { class: "tr-see", href: `${page}#answer`, "aria-label": `${name.trim()}: ${say("training.answer")}` }, say("training.answer"));
    return make("li", { class: `tr-${came}` },
      make("a", { href: page }, picture, make("span", { class: "name" }, name), make("span", { class: "facts" }, length),
        ...(stars ? [make("span", { class: "facts" }, `${rating} `, make("span", { class: "stars", role: "img", "aria-label": say("web.stars", { stars }) }, "★".repeat(stars) + "☆".repeat(5 - stars)))] : []),
        make("span", { class: "tr-came" }, say(`training.run_${came}`))),
      ...(own ? [] : [answer]));
  }

  return class {
    /**
     * @param {HTMLElement} root
     * @param {{address: (name: "page" | "picture", id: number) => string, again: (ids: number[]) => void}} actions
     */
    constructor(root, { address, again }) {
      this._root = root;
      this._address = address;
      /** @type {Progress | null} */
      this._progress = null;
      /** @type {number[]} */
      this._ids = [];
      this._shown = FIRST;
      this._select = find(root, "select", HTMLSelectElement);
      this._again = find(root, "[data-act=failed_again]");
      this._more = find(root, "[data-act=more]");
      this._select.addEventListener("change", () => this._show(FIRST));
      this._again.addEventListener("click", () => again(this._ids));
      this._more.addEventListener("click", () => this._show(this._shown + STEP));
    }

    /**
     * Cards of problems.
     * @param {{problem: TrainingProblem, came: "solved" | "failed" | "open"}[]} outcomes
     */
    cards(outcomes) {
      return outcomes.map(({ problem, came }) => card(problem, came, (name) => this._address(name, problem.id)));
    }

    /** @param {Progress} progress */
    update(progress) {
      const chosen = this._progress ? this._select.value : "";
      this._progress = progress;
      this._root.hidden = !progress.tried.length;
      const failed = progress.tried.filter((one) => one.failed).length;
      /** @param {string} value @param {string} text @param {number} count */
      const option = (value, text, count) => make("option", { value }, say("training.list_of", { list: text, count }));
      const themes = progress.by_theme.map(({ theme, name, solved }) => option(theme, localized(name), solved));
      this._select.replaceChildren(option("failed", say("training.list_failed"), failed), option("tried", say("training.list_tried"), progress.tried.length),
        make("optgroup", { label: say("training.by_theme") }, ...themes));
      this._select.value = chosen || (failed ? "failed" : "tried");
      if (!this._select.value) this._select.value = "tried";
      this._show(this._shown);
    }

    /** @param {number} number */
    async _show(number) {
      const list = this._select.value;
      const wanted = (this._progress?.tried || []).filter(({ failed, themes }) => list === "tried" || (list === "failed" ? failed : themes.includes(list)));
      this._shown = number;
      this._ids = wanted.map(({ problem }) => problem);
      this._more.hidden = wanted.length <= number;
      this._again.hidden = list !== "failed" || !wanted.length;
      const solved = new Map(wanted.map((one) => [one.problem, one.solved]));
      const problems = await window.TsumeTrainer.problems(this._ids.slice(0, number)).catch(() => []);
      if (list !== this._select.value || number !== this._shown) return;
      /** @param {number} id */
      const came = (id) => (solved.get(id) && list !== "failed" ? "solved" : "failed");
      find(this._root, "ul").replaceChildren(...this.cards(problems.map((problem) => ({ problem, came: came(problem.id) }))));
    }
  };
})();
