// The answer of a problem, folded away below the board: line, variations, tries, themes, final position.
"use strict";

const TsumeAnswer = (function () {
  const { make, find } = TsumeDom;
  const { say } = TsumePhrases;
  const { Position } = TsumePosition;

  return class {
    /**
     * @param {HTMLElement} details has the answer in it, or its address as `data-answer`
     * @param {string} sfen of the problem
     * @param {{opened: () => void, line: () => string[]}} player opened is called when the answer is shown
     */
    constructor(details, sfen, { opened, line }) {
      this._details = /** @type {HTMLDetailsElement} */ (details);
      this._sfen = sfen;
      this._line = line;
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
      const { answer } = this._details.dataset;
      try {
        if (answer) await this._request(answer);
      } catch {
        this._isLoaded = false; // opening it again tries again
        this._details.append(make("p", { role: "alert" }, say("web.failed")));
        return;
      }
      this._addFinalPosition(find(this._details, ".solution"));
    }

    /** @param {string} address */
    async _request(address) {
      for (const old of this._details.querySelectorAll("p")) old.remove();
      const waiting = make("p", {}, say("web.loading"));
      this._details.append(waiting);
      try {
        const part = new DOMParser().parseFromString(await window.TsumeTrees.text(address), "text/html");
        this._details.append(...part.body.children);
      } finally {
        waiting.remove();
      }
    }

    /** @param {HTMLElement} solution */
    _addFinalPosition(solution) {
      let position = Position.fromSfen(this._sfen);
      const moves = this._line();
      if (!moves.length) return;
      moves.forEach((usi, index) => { position = position.after(usi, index % 2 ? "w" : "b"); });
      const label = say("web.final");
      const draw = () => TsumeBoardDrawing.diagram(position, moves[moves.length - 1], label);
      let diagram = draw();
      solution.append(make("figure", { class: "final" }, make("figcaption", {}, label), diagram));
      TsumeSettings.listen(() => {
        const changed = draw();
        diagram.replaceWith(changed);
        diagram = changed;
      });
    }
  };
})();
