// SPDX-License-Identifier: GPL-3.0-or-later
// The editor as it is drawn: the board, both hands, and the box with the remaining pieces. editor.js edits the position.
"use strict";

/** @typedef {ShowOptions & {rest?: boolean, kept?: Set<string>, locked?: boolean}} EditorOptions */

const TsumeEditorView = (function () {
  const { HAND_ORDER } = TsumePosition;
  const { remaining } = TsumeArrangement;
  const { make, button } = TsumeDom;
  const { say } = TsumePhrases;
  const { pieceName } = TsumeNotation;
  const SIDES = /** @type {Side[]} */ (["b", "w"]);

  return class extends TsumeInteractiveBoard {
    /** @type {Side} */
    side = "b"; // of the pieces from the box
    rest = true; // whether the defender holds all remaining pieces
    locked = false; // whether a line is shown, which cannot be edited
    _current = this._cursor; // the square of the chosen piece, or else of the cursor
    /** @type {Set<string>} */
    _kept = new Set();
    _box = make("div", { role: "group", class: "tb-hand tb-box", "data-into": "x" });

    /**
     * Shows a position. `rest` and `kept` (squares whose pieces must stay) remain as they are unless given.
     * @param {Position} position
     * @param {EditorOptions} [options]
     */
    show(position, { rest = this.rest, kept = this._kept, locked = false, ...marks } = {}) {
      Object.assign(this, { rest, _kept: kept, locked });
      this.classList.toggle("tb-locked", locked);
      super.show(position, { rings: [...kept], ...marks });
    }

    _build() {
      super._build();
      for (const side of SIDES) this._hands[side].dataset.into = side;
      this.append(this._box);
    }

    _render() {
      const { activeElement } = document;
      const focused = activeElement instanceof HTMLElement && this.contains(activeElement) && activeElement.dataset.name;
      super._render();
      this._renderBox();
      this._markCurrent();
      if (!focused) return;
      const again = this.querySelector(/** @type {"button"} */ (`[data-name="${focused}"]`));
      if (again) again.focus();
      else this.focusCursor(); // the last piece of its kind is gone
    }

    /** @param {string} square @param {boolean} focuses */
    _moveCursor(square, focuses) {
      super._moveCursor(square, focuses);
      this.classList.add("tb-used"); // the cursor is marked once it has been moved
      this._markCurrent();
    }

    _markCurrent() {
      this._current = this._chosen && !this._chosen.endsWith("*") ? this._chosen : this._cursor;
      this.toggleAttribute("data-current", this.position.squares.has(this._current));
    }

    focusCursor() {
      this._moveCursor(this._cursor, true);
    }

    // A key pressed elsewhere on the page acts on the square under the cursor. Returns whether it has a meaning.
    /** @param {string} key */
    pressKeyElsewhere(key) {
      if (key !== "Escape" || !this._chosen) return this._pressOtherKey(key, this._cursor);
      this._cancelChoice();
      return true;
    }

    _isMovable() {
      return !this.locked;
    }

    /** @param {Piece} piece */
    _sideName({ kind, side }) {
      return say(`compose.piece_${side}`, { piece: pieceName(kind) });
    }

    /** @param {string} square @param {Piece | undefined} piece */
    _label(square, piece) {
      const kept = this._kept.has(square) ? " " + say("compose.kept") : "";
      return super._label(square, piece) + kept;
    }

    /** @param {Side} side */
    _renderHand(side) {
      const hand = this._hands[side];
      hand.setAttribute("aria-label", this._handName(side));
      const parts = [make("span", { class: "tb-head", "aria-hidden": "true" }, this._handName(side))];
      if (side === "w") parts.push(this._restButton());
      if (side === "b" || !this.rest) parts.push(...this._heldButtons(side), this._intoButton(side));
      hand.replaceChildren(...parts);
    }

    /** @param {string} side */
    _handName(side) {
      return say(side === "b" ? "web.attacker_hand" : "web.defender_hand");
    }

    /** @param {Side} side */
    _heldButtons(side) {
      const hand = this.position.hands[side];
      const kinds = [...HAND_ORDER].filter((kind) => hand[kind] > 0);
      return kinds.map((kind) => this._pieceButton(kind, hand[kind], { name: side + kind + "*", side }));
    }

    /** @param {Side} side */
    _intoButton(side) {
      const name = say(`compose.into_${side}`);
      return make("button", { type: "button", class: "tb-into", "data-name": "into" + side, "aria-label": name, title: name }, "＋");
    }

    _restButton() {
      return button(say("web.defender_rest"), () => this._toggleRest(), {
        class: "tb-toggle", "data-name": "rest", "aria-pressed": String(this.rest),
      });
    }

    _renderBox() {
      this._box.setAttribute("aria-label", say("compose.box"));
      const sides = SIDES.map((side) => button(say(`compose.side_${side}`), () => this._chooseSide(side), {
        class: "tb-toggle", "data-name": "side" + side, "aria-pressed": String(side === this.side),
      }));
      const numbers = this._available();
      const pieces = Object.keys(numbers).map((kind) => this._boxButton(kind, numbers[kind]));
      this._box.replaceChildren(
        make("span", { class: "tb-head", "aria-hidden": "true" }, say("compose.box")),
        make("div", { class: "tb-sides", role: "group", "aria-label": say("compose.side") }, ...sides),
        make("div", { class: "tb-pieces" }, ...pieces));
    }

    /** @param {string} kind @param {number} count */
    _boxButton(kind, count) {
      const made = this._pieceButton(kind, count, { name: `x${kind}*`, side: this.side, phrase: "compose.box_piece" });
      if (count < 1) made.setAttribute("aria-disabled", "true");
      return made;
    }

    // The pieces in the box: those that remain, and those that the defender holds as the rest.
    _available() {
      const numbers = remaining(this.position);
      if (this.rest) for (const kind of HAND_ORDER) numbers[kind] += this.position.hands.w[kind];
      return numbers;
    }

    // --- defined by the editor ------------------------------------------------------------------------

    _toggleRest() {}

    /** @param {Side} _side */
    _chooseSide(_side) {}
  };
})();
