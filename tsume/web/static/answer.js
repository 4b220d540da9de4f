// SPDX-License-Identifier: GPL-3.0-or-later
// The answer of a problem, folded away below the board: line, variations, tries, themes, analysis.
"use strict";

/**
 * A position on the board, in which some checks can be played; said: what is told of it; played: null at the start, where
 * the attempt begins again.
 * @typedef {ShowOptions & {position: Position, checks: string[], played: ((usi: string) => void) | null, said: string}} Shown
 */

const TsumeAnswer = (function () {
  const { make, find } = TsumeDom;
  const { say, language } = TsumePhrases;

  return class {
    /**
     * @param {HTMLElement} details has the answer in it, or its address as `data-answer`; `data-scripts`: the addresses
     *   of the scripts for the analysis
     * @param {PlayedProblem} problem
     * @param {{opened: () => void, line: () => Promise<{move: string, text: Localized}[]>, look: (shown: Shown) => void}} player opened is called when the answer is
     *   shown
     */
    constructor(details, problem, { opened, line, look }) {
      this._details = /** @type {HTMLDetailsElement} */ (details);
      this._problem = problem;
      this._line = line;
      this._look = look;
      this._isLoaded = this._isSolved = false;
      /** @type {InstanceType<typeof TsumeAnalysis> | null} */
      this._analysis = null;
      details.addEventListener("toggle", () => {
        if (!this._details.open) return;
        find(details, "summary").textContent = say("web.answer");
        opened();
        this._load();
      });
    }

    /** @param {boolean} [isSolved] the board shows the end of the solution, else the answer begins there */
    open(isSolved = false) {
      this._isSolved = isSolved;
      this._details.open = true;
    }

    async _load() {
      if (this._isLoaded) return;
      this._isLoaded = true;
      const { answer, scripts = "" } = this._details.dataset;
      const { text } = window.TsumeTrees;
      try {
        if (typeof TsumeAnalysis === "undefined") await TsumeDom.addScripts(scripts);
        await this._addSteps();
        if (answer && text) await this._request(() => text(answer));
      } catch {
        this._isLoaded = false; // opening it again tries again
        this._details.append(make("p", { role: "alert" }, say("web.failed")));
        return;
      }
      if (!this._analysis) return;
      this._details.append(this._analysis.choices);
      await this._addVariations(find(this._details, "dl"), (await this._line()).map(({ move }) => move));
    }

    // The moves of the line come first, on the board too.
    async _addSteps() {
      const line = await this._line();
      if (!line.length || this._analysis) return;
      this._analysis = new TsumeAnalysis(this._details, { problem: this._problem, line, look: this._look });
      find(this._details, "summary").after(this._analysis.steps);
      if (this._isSolved) return;
      this._analysis.go([], false);
      this._analysis.steps.scrollIntoView({ block: "nearest" });
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
      for (const old of this._details.querySelectorAll(":scope > p")) old.remove();
      const waiting = make("p", {}, say("web.loading"));
      this._details.append(waiting);
      try {
        const part = new DOMParser().parseFromString(await load(), "text/html");
        this._details.append(...part.body.children);
      } finally {
        waiting.remove();
      }
    }
  };
})();
