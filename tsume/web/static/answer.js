// SPDX-License-Identifier: GPL-3.0-or-later
// The answer of a problem, folded away below the board: line, variations, tries, themes, final position, analysis.
"use strict";

/**
 * Shows a position on the board, in which some checks can be played.
 * @typedef {(shown: {position: Position, last: string | null, checks: string[], played: (usi: string) => void}) => void} Look
 */

const TsumeAnswer = (function () {
  const { make, find } = TsumeDom;
  const { say, language } = TsumePhrases;
  const { Position } = TsumePosition;

  return class {
    /**
     * @param {HTMLElement} details has the answer in it, or its address as `data-answer`; `data-scripts`: the addresses
     *   of the scripts for the analysis
     * @param {PlayedProblem} problem
     * @param {{opened: () => void, line: () => Promise<string[]>, look: Look}} player opened is called when the answer is
     *   shown
     */
    constructor(details, problem, { opened, line, look }) {
      this._details = /** @type {HTMLDetailsElement} */ (details);
      this._problem = problem;
      this._line = line;
      this._look = look;
      this._isLoaded = false;
      details.addEventListener("toggle", () => {
        if (!this._details.open) return;
        opened();
        this._load();
      });
    }

    open() {
      this._details.open = true;
    }

    async _load() {
      if (this._isLoaded) return;
      this._isLoaded = true;
      const { answer, scripts = "" } = this._details.dataset;
      const { text } = window.TsumeTrees;
      try {
        await Promise.all(scripts.split(" ").map(TsumeDom.addScript));
        if (answer && text) await this._request(() => text(answer));
      } catch {
        this._isLoaded = false; // opening it again tries again
        this._details.append(make("p", { role: "alert" }, say("web.failed")));
        return;
      }
      const solution = find(this._details, ".solution");
      const line = await this._line();
      if (line.length) this._addPositions(solution, line);
      if (line.length) await this._addVariations(find(solution, "dl"), line);
    }

    /**
     * Adds what the page does not have: variations and tries, from the solver in the browser.
     * @param {HTMLElement} list
     * @param {string[]} line
     */
    async _addVariations(list, line) {
      const parts = await window.TsumeTrees.commentary?.(this._problem, line).catch(() => null); // the page has the line
      for (const { label, items } of (parts?.[language] || []).reverse()) {
        list.prepend(make("dt", {}, label), ...items.map((text) => make("dd", {}, text)));
      }
    }

    /** @param {() => Promise<string>} load */
    async _request(load) {
      for (const old of this._details.querySelectorAll("p")) old.remove();
      const waiting = make("p", {}, say("web.loading"));
      this._details.append(waiting);
      try {
        const part = new DOMParser().parseFromString(await load(), "text/html");
        this._details.append(...part.body.children);
      } finally {
        waiting.remove();
      }
    }

    /**
     * @param {HTMLElement} solution
     * @param {string[]} line
     */
    _addPositions(solution, line) {
      const analysis = make("section", { class: "analysis" });
      solution.append(this._finalPosition(line), analysis);
      new TsumeAnalysis(analysis, { problem: this._problem, line, look: this._look });
    }

    /** @param {string[]} line */
    _finalPosition(line) {
      let position = Position.fromSfen(this._problem.sfen);
      line.forEach((usi, index) => { position = position.after(usi, TsumeMoveLine.side(index)); });
      const label = say("web.final");
      const draw = () => TsumeBoardDrawing.diagram(position, line[line.length - 1], label);
      let diagram = draw();
      TsumeSettings.listen(() => {
        const changed = draw();
        diagram.replaceWith(changed);
        diagram = changed;
      });
      return make("figure", { class: "final" }, make("figcaption", {}, label), diagram);
    }
  };
})();
