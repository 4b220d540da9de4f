// SPDX-License-Identifier: GPL-3.0-or-later
// <tsume-board>: a board on which the attacker's checks are played with mouse, touch and keys.
//
// Set `checks` (the moves, in USI, that can be played) and call `show`. It fires `move` (detail: USI).
"use strict";

const TsumeBoard = (function () {
  const { language } = TsumePhrases;
  const { squareName, pieceName } = TsumeNotation;
  const { HAND_ORDER } = TsumePosition;

  return class extends TsumeInteractiveBoard {
    /** @type {string[]} */
    checks = [];
    /**
     * Set while a position is shown that does not go on, such as a refutation: shows the one before it. Called before
     * the next input, which then counts there.
     * @type {(() => void) | null}
     */
    resume = null;
    /** @type {string[]} */
    _questioned = []; // the move of an open question: the dialog may hide its squares
    _dialog = new TsumePromotionDialog();

    /** @param {Position} position @param {ShowOptions} [marks] */
    show(position, marks) {
      this._closeDialog();
      super.show(position, marks);
    }

    _build() {
      super._build();
      this.append(this._dialog.element);
    }

    _shownArrows() {
      return [...super._shownArrows(), ...this._questioned];
    }

    /** @param {MouseEvent} event */
    _click(event) {
      if (!this._questioned.length || this._drag.justDropped || TsumeDom.closest(event, ".tb-question")) super._click(event);
      else {
        this._closeDialog();
        this._cancelChoice();
      }
    }

    /** @param {string} square */
    _act(square) {
      this._moveCursor(square, false);
      const isResumed = this._resume();
      if (!this.checks.length) return;
      if (this.position.squares.get(square)?.side === "b") this._choose(square);
      else if (this._chosen) this._go(this._chosen, square);
      else if (!isResumed) this._tell("web.not_yours");
    }

    // Returns whether another position was shown.
    _resume() {
      const { resume } = this;
      resume?.();
      return resume !== null;
    }

    _clickBeside() {
      this._resume();
    }

    /** @param {string} name */
    _choose(name) {
      this._resume();
      if (!this.checks.length) return;
      const isChosen = this._chosen !== name;
      this._setChosen(isChosen ? name : null);
      const held = document.activeElement instanceof HTMLElement && document.activeElement.dataset.hand;
      this._render();
      if (held) this._hands.b.querySelector(/** @type {"button"} */ (`[data-hand="${held}"]`))?.focus();
      if (isChosen) this._tell("web.picked", { piece: this._choiceName(name) });
      else this._tell("web.put_back");
    }

    // Those on which it gives check.
    _destinations() {
      const chosen = TsumeSettings.get("destinations") === "on" && !this._questioned.length ? this._chosen : null;
      return new Set(this.checks.filter((move) => chosen && move.startsWith(chosen)).map((move) => move.slice(2, 4)));
    }

    /** @param {string} name */
    _choiceName(name) {
      if (name.endsWith("*")) return pieceName(name[0]);
      return squareName(name) + (language === "ja" ? "" : " ") + pieceName(this.position.pieceOn(name).kind);
    }

    /**
     * Plays a move if it is a check; asks about promotion wherever a piece could promote.
     * @param {string} from
     * @param {string} target
     */
    _go(from, target) {
      const usi = from + target;
      const possible = [usi, usi + "+"].filter((move) => this.checks.includes(move));
      if (!possible.length) this._play(usi);
      else if (!from.endsWith("*") && this.position.hasChoice(from, target)) this._ask(from, target);
      else this._play(possible[0]);
    }

    /** @param {string} usi */
    _play(usi) {
      this._setChosen(null);
      this._closeDialog();
      this._render();
      if (this.checks.includes(usi)) this._fire("move", usi);
      else this._fire("refuse");
    }

    /** @param {string} origin @param {string} target */
    _ask(origin, target) {
      const usi = origin + target;
      this._questioned = [usi];
      this._render();
      this._tell("web.promote_question");
      const square = /** @type {HTMLElement} */ (this._cells.get(target)).getBoundingClientRect();
      this._dialog.open(square, this.position.pieceOn(origin).kind, (promotes) => {
        this._closeDialog();
        this._moveCursor(target, true);
        if (promotes === null) this._cancelChoice();
        else this._play(promotes ? usi + "+" : usi);
      });
    }

    _closeDialog() {
      this._questioned = [];
      this._dialog.close();
    }

    // A key that is pressed elsewhere on the page: a piece in hand, or Escape.
    /** @param {string} key */
    pressKey(key) {
      if (key === "Escape" && this._chosen) this._cancelChoice();
      else if (key === "Escape") this._resume();
      else if (this._pressOtherKey(key)) this._moveCursor(this._cursor, true);
    }

    /** @param {string} key */
    _pressOtherKey(key) {
      if (key === "Escape") return this._resume();
      const letter = key.toUpperCase();
      if (HAND_ORDER.includes(letter)) this._resume();
      if (letter.length !== 1 || !this.position.hands.b[letter]) return false;
      this._choose(letter + "*");
      return true;
    }

    _canDrag() {
      return this.checks.length > 0 || this.resume !== null;
    }

    /** @param {string} from */
    _lift(from) {
      this._resume();
      this._setChosen(from);
      this._render();
    }

    /** @param {string} from @param {Element | null} under */
    _drop(from, under) {
      const square = under?.closest(/** @type {"div"} */ ("[data-square]"))?.dataset.square;
      if (!square || square === from || this.position.squares.get(square)?.side === "b") {
        this._setChosen(null);
        this._render();
        return;
      }
      this._moveCursor(square, true);
      this._droppedOn = square;
      this._go(from, square);
      this._droppedOn = null;
    }
  };
})();

customElements.define("tsume-board", TsumeBoard);
