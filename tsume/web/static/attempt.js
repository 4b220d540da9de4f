// SPDX-License-Identifier: GPL-3.0-or-later
// An attempt to solve a problem by playing against its reply tree: what is played, mistakes and hints.
"use strict";

/**
 * A position of an attempt and the move that led to it.
 * @typedef {{position: Position, turn: number | null, move: string | null, text: Localized, wrong?: boolean}} AttemptStep
 *   turn: its number in the tree if the attacker is to move there, else null
 */

const TsumeAttempt = (function () {
  const MAX_HINT_LEVEL = 3;
  const NO_TEXT = { ja: "", en: "" };

  return class {
    static MAX_HINT_LEVEL = MAX_HINT_LEVEL;

    /** @param {string} sfen */
    constructor(sfen) {
      this._start = TsumePosition.Position.fromSfen(sfen);
      /** @type {ReplyTree | null} */
      this._tree = null;
      this._began = 0;
      this._hidden = 0; // since when nobody sees the page
      this.hintLevel = 0; // of the hint that is shown now
      /** @type {Map<number | null, number>} */
      this._hintsSeen = new Map(); // by turn the highest level
      this.isSolved = false;
      this.mistakes = 0;
      this.hints = 0;
      /** @type {AttemptStep[]} */
      this._steps = [];
      this.restart();
    }

    /** @param {ReplyTree} tree */
    load(tree) {
      this._tree = tree;
      this._began = Date.now();
      this.restart();
    }

    /** @param {boolean} isHidden the page is not seen: this time does not count */
    pause(isHidden) {
      if (!isHidden && this._hidden) this._began += Date.now() - this._hidden;
      this._hidden = isHidden ? Date.now() : 0;
    }

    // Goes back to the start; mistakes and hints stay counted.
    restart() {
      this._steps = [{ position: this._start, turn: 0, move: null, text: NO_TEXT }];
      this.hintLevel = 0;
      this.isSolved = false;
    }

    /** @returns {KeptAttempt} */
    get kept() {
      const { mistakes, hints, result: { seconds } } = this;
      const moves = this.moves.filter((_, index) => index % 2 === 0).map(({ move }) => move || "");
      return { moves, mistakes, hints, seen: [...this._hintsSeen], seconds };
    }

    // Goes on with an attempt that was kept: its moves are played as far as the tree has them.
    /** @param {KeptAttempt} kept */
    resume({ moves, mistakes, hints, seen, seconds }) {
      this.restart();
      for (const move of moves) {
        const check = this.turn?.checks.find((one) => one.move === move);
        if (check?.result !== "mates" || !bestAnswer(check)) break;
        this.check(move);
        this.answer(check);
        if (this.current.turn === null) break; // the rest of the tree is not loaded
      }
      if (this.current.turn === null) this.back();
      [this.mistakes, this.hints, this._hintsSeen] = [mistakes, hints, new Map(seen)];
      this._began = Date.now() - seconds * 1000;
    }

    get current() {
      return this._steps[this._steps.length - 1];
    }

    // The moves played, as steps.
    get moves() {
      return this._steps.slice(1);
    }

    // The turn in the tree, or null if the attacker is not to move or nothing follows.
    get turn() {
      const { turn } = this.current;
      return this._tree && turn !== null && !this.isSolved ? this._tree.turns[turn] : null;
    }

    // The moves of the tree's best line, as far as the tree has its turns.
    get line() {
      /** @type {{move: string, text: Localized}[]} */
      const line = [];
      for (let turn = this._tree?.turns[0]; turn?.key;) {
        const check = checkNamed(turn, turn.key);
        const best = bestAnswer(check);
        line.push(check, ...(best ? [best] : []));
        turn = best?.turn === undefined ? undefined : this._tree?.turns[best.turn];
      }
      return line;
    }

    /** @returns {Result} */
    get result() {
      const seconds = Math.round((Date.now() - this._began) / 1000);
      return { isSolved: this.isSolved, moves: this.moves.length, mistakes: this.mistakes, hints: this.hints, seconds };
    }

    // Plays a check of the current turn and returns it; one whose result is open is not played.
    /** @param {string} usi */
    check(usi) {
      const check = checkNamed(this.turn, usi);
      this.hintLevel = 0;
      if (check.result === "open") return check;
      this._push(check.move, check.text, "b");
      if (check.result === "fails") {
        this.mistakes += 1;
        this.current.wrong = true;
      } else if (!bestAnswer(check)) {
        this.isSolved = true;
      }
      return check;
    }

    // Plays the defender's answer to a check that has one.
    /** @param {TreeCheck} check */
    answer(check) {
      const best = bestAnswer(check);
      if (check.result === "fails") this._push(check.answer, check.answer_text, "w");
      else if (best) this._push(best.move, best.text, "w", best.turn ?? null);
    }

    /**
     * Adds a tree that begins where this one does not go on: it says what an open check of the current turn does,
     * or it continues after the best answer to a check, which has just been played.
     * @param {TreeCheck} check
     * @param {ReplyTree} tree
     * @returns {TreeCheck} the check with its result
     */
    graft(check, tree) {
      const turns = this._tree?.turns || [];
      const first = turns.length;
      turns.push(...tree.turns.map((turn) => renumbered(turn, first)));
      const best = bestAnswer(check);
      if (best) {
        best.turn = this.current.turn = first;
        return check;
      }
      const { checks } = /** @type {TreeTurn} */ (this.turn);
      const settled = checkNamed(turns[first], check.move);
      checks.splice(checks.indexOf(check), 1, settled);
      return settled;
    }

    /** @param {string} move @param {Localized} text @param {Side} side @param {number | null} turn */
    _push(move, text, side, turn = null) {
      this._steps.push({ position: this.current.position.after(move, side), turn, move, text });
    }

    // Goes back to the attacker's turn before. Returns whether there is one.
    back() {
      if (!this.moves.length) return false;
      do this._steps.pop(); while (this.current.turn === null);
      this.isSolved = false;
      this.hintLevel = 0;
      return true;
    }

    // The next hint on the key of the current turn: its level is 1 (the piece), 2 (the square) or 3 (the move).
    // A hint that was seen at this turn before is shown at once, and counts only the first time.
    hint() {
      const key = this.turn?.key;
      if (!key) return null;
      const seen = this._hintsSeen.get(this.current.turn) || 0;
      const level = Math.min(this.hintLevel ? this.hintLevel + 1 : Math.max(seen, 1), MAX_HINT_LEVEL);
      if (level > seen) {
        this.hints += 1;
        this._hintsSeen.set(this.current.turn, level);
      }
      this.hintLevel = level;
      return { level, key, text: checkNamed(this.turn, key).text };
    }
  };

  /** @param {TreeTurn | null} turn @param {string} usi */
  function checkNamed(turn, usi) {
    const check = turn?.checks.find(({ move }) => move === usi);
    if (!check) throw new Error(`${usi} is not a check here`);
    return check;
  }

  /**
   * A turn of a tree whose first turn gets the number `first`.
   * @param {TreeTurn} turn
   * @param {number} first
   * @returns {TreeTurn}
   */
  function renumbered(turn, first) {
    /** @param {TreeAnswer} answer */
    const moved = (answer) => (answer.turn === undefined ? answer : { ...answer, turn: answer.turn + first });
    return {
      ...turn,
      checks: turn.checks.map((check) => (check.result === "mates" ? { ...check, answers: check.answers.map(moved) } : check)),
    };
  }

  /** @param {TreeCheck} check */
  function bestAnswer(check) {
    return check.result === "mates" ? check.answers.find(({ best }) => best) : undefined;
  }
})();
