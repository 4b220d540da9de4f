// SPDX-License-Identifier: GPL-3.0-or-later
// Checks to choose from, beside the board: the one that mates and up to three that fail.
"use strict";

const TsumeChoices = (function () {
  const { make, button, enable, find } = TsumeDom;
  const { say, language } = TsumePhrases;
  const { squareName, pieceName } = TsumeNotation;
  const { readMove } = TsumePosition;
  const [NUMBER, SIGNS] = [4, "①②③④"];

  /**
   * The checks of a turn to choose from, in an order that tells nothing.
   * @param {TreeTurn} turn
   */
  function drawn({ checks, key }) {
    const [right, wrong] = [checks.filter(({ move }) => move === key), checks.filter(({ result }) => result === "fails")];
    const some = wrong.map((check) => ({ check, place: Math.random() })).sort((one, other) => one.place - other.place).slice(0, NUMBER - 1);
    return [...right, ...some.map(({ check }) => check)].sort((one, other) => (one.move < other.move ? -1 : 1));
  }

  return class {
    /**
     * @param {HTMLElement} place of the player
     * @param {() => void} unfit called if the first turn has too few checks
     */
    constructor(place, unfit) {
      this._board = /** @type {InstanceType<typeof TsumeBoard>} */ (find(place, "tsume-board"));
      this._unfit = unfit;
      this._list = make("fieldset", { class: "tr-choices" });
      /** @type {TreeTurn | null} */
      this._turn = null; // at which a check can be played
      /** @type {TreeTurn | null} */
      this._offered = null; // whose checks are shown
      find(place, ".tp-side").prepend(this._list);
    }

    /**
     * Follows the attempt. After a check that fails the choices stay, and this one cannot be chosen again.
     * @param {InstanceType<typeof TsumeAttempt>} attempt
     */
    follow({ turn, current, isSolved }) {
      const before = this._turn;
      this._turn = turn;
      this._board.checks = []; // only the buttons play
      if (isSolved) this._list.remove();
      if (current.wrong) this._cross(current.move);
      if (!turn || turn === before) return;
      if (turn !== this._offered) this._offer(turn);
      this._point();
    }

    /** @param {TreeTurn} turn */
    _offer(turn) {
      const checks = drawn(turn);
      if (!this._offered && checks.length < NUMBER) this._unfit();
      this._offered = turn;
      this._list.replaceChildren(make("legend", {}, say("training.choices_question")), ...checks.map(({ move, text }, place) => {
        const parts = { move: text[language], piece: pieceName(this._board.position.mover(move)), square: squareName(readMove(move).target) };
        const made = button(`${SIGNS[place]} ${say("training.choice", parts)}`, () => this._choose(made), { "data-move": move });
        for (const type of ["pointerenter", "focus"]) made.addEventListener(type, () => this._point(move));
        for (const type of ["pointerleave", "blur"]) made.addEventListener(type, () => this._point());
        return made;
      }));
    }

    /** @param {HTMLElement} chosen */
    _choose(chosen) {
      const { move } = chosen.dataset;
      if (chosen.hasAttribute("aria-disabled")) return;
      this._board.resume?.();
      if (this._turn) this._board.dispatchEvent(new CustomEvent("move", { detail: move }));
    }

    /** @param {string | null} move */
    _cross(move) {
      for (const one of this._buttons) {
        if (one.dataset.move !== move || one.hasAttribute("aria-disabled")) continue;
        enable(one, false);
        one.append(" ✗");
      }
    }

    get _buttons() {
      return /** @type {HTMLElement[]} */ ([...this._list.querySelectorAll("[data-move]")]);
    }

    /**
     * Shows a choice on the board, or all that are left.
     * @param {string} [move]
     */
    _point(move) {
      if (!this._turn) return;
      const left = this._buttons.filter((one) => !one.hasAttribute("aria-disabled")).map((one) => one.dataset.move || "");
      this._board.show(this._board.position, { arrows: move ? [move] : left });
    }
  };
})();
