// SPDX-License-Identifier: GPL-3.0-or-later
// After the solution: the moves of the line, and any other moves of both sides, on the board. Below stands what each move
// leads to.
"use strict";

const TsumeAnalysis = (function () {
  const { make, button, enable } = TsumeDom;
  const { Position } = TsumePosition;
  const { say, language } = TsumePhrases;

  return class {
    /**
     * Fills `place` with `steps`, the moves of the line, and `choices`, those of both sides.
     * @param {HTMLElement} place
     * @param {{problem: PlayedProblem, line: {move: string, text: Localized}[], look: (shown: Shown) => void}} options
     *   line: the solution; look shows a position on the board
     */
    constructor(place, { problem, line, look }) {
      this._start = Position.fromSfen(problem.sfen);
      this._line = line.map(({ move }) => move);
      this._texts = line.map(({ text }) => text[language]);
      this._problem = problem;
      this._look = look;
      this._moves = this._line; // those that lead to the position that is shown
      this._moved = make("ol", { class: "ta-moves", "aria-label": say("web.moves_played") });
      this._status = make("p", { class: "ta-status", "aria-live": "polite" });
      this._choices = make("ul", { class: "ta-choices", "aria-label": say("web.choices") });
      this._back = button("◀", () => this.go(this._moves.slice(0, -1)), { "aria-label": say("web.step_back") });
      this._forward = button("▶", () => this.go([...this._moves, this._next || ""]), { "aria-label": say("web.step_on") });
      this.steps = make("div", { class: "analysis" },
        make("div", { class: "ta-steps" }, button(say("web.show_line"), () => this.go([])), this._back, this._forward), this._moved);
      this.choices = make("section", { class: "analysis", hidden: "" },
        make("h2", {}, say("web.analysis")), this._status, this._choices);
      place.append(this.steps, this.choices);
      this._show();
    }

    /** @param {string[]} moves @param {boolean} [asks] what each move there leads to */
    async go(moves, asks = true) {
      this._moves = moves;
      const { position, last, said, next } = this._show();
      const shown = { position, last, said, arrows: next ? [next] : [], side: TsumeMoveLine.side(moves.length) };
      /** @param {string[]} checks */
      const look = (checks) => this._look({ ...shown, checks, played: asks ? (usi) => this.go([...moves, usi]) : null });
      look([]);
      if (!asks) return;
      this.choices.hidden = false;
      this._choices.replaceChildren();
      this._status.textContent = say("web.loading");
      const found = await this._load(moves);
      if (this._moves !== moves || !found) return;
      look(found.side === "attacker" ? found.choices.map(({ move }) => move) : []);
      this._render(found);
    }

    // Shows the moves: the whole solution, as long as they belong to it.
    _show() {
      const { length } = this._moves;
      const isSolution = this._moves.every((usi, index) => usi === this._line[index]);
      const line = new TsumeMoveLine(this._start, isSolution ? this._line : this._moves);
      line.go(length);
      const texts = isSolution ? this._texts : line.moves.map((_, index) => line.text(index));
      this._next = isSolution ? this._line[length] : undefined;
      enable(this._back, length > 0);
      enable(this._forward, this._next !== undefined);
      this._moved.replaceChildren(...texts.map((text, index) => {
        const item = button(text, () => this.go(line.moves.slice(0, index + 1)));
        if (index === length - 1) item.setAttribute("aria-current", "step");
        return make("li", {}, item);
      }));
      const said = isSolution ? say("web.answer_is", { line: texts.join(" ") }) : texts.join(" ");
      return { position: line.position, last: line.last, said, next: this._next };
    }

    /** @param {string[]} moves */
    async _load(moves) {
      try {
        return await window.TsumeTrees.choices(this._problem, moves);
      } catch (error) {
        if (this._moves === moves) this._status.textContent = say(error instanceof Error ? error.message : "web.failed");
        return null;
      }
    }

    /** @param {Choices} found */
    _render({ side, choices }) {
      this._status.textContent = verdict(side, choices);
      this._choices.replaceChildren(...choices.map((choice) => {
        const item = button(choice.text[language], () => this.go([...this._moves, choice.move]), choice.best ? { class: "ta-best" } : {});
        return make("li", {}, item, " ", make("span", {}, outcome(choice)));
      }));
    }
  };

  /**
   * What a position is.
   * @param {"attacker" | "defender"} side
   * @param {Choice[]} choices
   */
  function verdict(side, choices) {
    const real = choices.filter(({ futile }) => !futile);
    if (side === "defender" && !real.length) return say("web.is_mate");
    if (!choices.length) return say("web.no_more_checks");
    const lengths = real.filter(({ result }) => result === "mates").map(({ length = 0 }) => length);
    const isOpen = choices.some(({ result }) => result === "open");
    if (side === "attacker") {
      if (lengths.length) return say("web.attacker_mates", { length: Math.min(...lengths) });
      return say(isOpen ? "web.attacker_open" : "web.attacker_fails");
    }
    if (real.some(({ result }) => result === "fails")) return say("web.defender_escapes");
    return isOpen ? say("web.defender_open") : say("web.defender_mated", { length: Math.max(...lengths) });
  }

  // What a move leads to.
  /** @param {Choice} choice */
  function outcome({ result, length = 0, futile }) {
    if (futile) return say("web.outcome_futile");
    return result === "mates" ? say("web.outcome_mates", { length }) : say(`web.outcome_${result}`);
  }
})();
