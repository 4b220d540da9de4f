// SPDX-License-Identifier: GPL-3.0-or-later
// <tsume-editor>: a board on which a position is arranged with mouse, touch and keys.
//
// It fires `edit` (detail: {position, rest, message}) for a change that the user makes, which is shown only when `show`
// is called with it. `leave` asks to close the line that is shown while the editor is locked.
// Names of what can be chosen are places (arrangement.js): "2c", "bG*", "wG*", "xG*".
"use strict";

const TsumeEditor = (function () {
  const { unpromoted, otherSide, completed, withPiece, withHand, without, turnedOver, cycled } = TsumeArrangement;
  const { closest } = TsumeDom;
  const { say } = TsumePhrases;
  const { squareName, pieceName } = TsumeNotation;
  const LETTERS = TsumePosition.HAND_ORDER + "K";

  return class extends TsumeEditorView {
    _build() {
      super._build();
      for (const place of [this._box, this._hands.b, this._hands.w]) {
        place.addEventListener("keydown", (event) => this._pressKeyBeside(event, place.dataset.into || ""));
      }
      this._grid.addEventListener("contextmenu", (event) => this._cycle(event));
    }

    // --- clicks -------------------------------------------------------------------------------------

    // The second click of a double click turns the piece to its next state.
    /** @param {MouseEvent} event */
    _click(event) {
      const isSecond = event.detail && event.detail % 2 === 0;
      if (isSecond && !this._drag.justDropped && closest(event, "[data-square]")) this._cycle(event);
      else super._click(event);
    }

    /** @param {string} square */
    _act(square) {
      this._moveCursor(square, false);
      if (this._leaves()) return;
      if (this._chosen === square) this._cancelChoice();
      else if (this._chosen) this._place(this._chosen, square);
      else if (this.position.squares.has(square)) this._choose(square);
      else this._tell("compose.empty_square", { square: squareName(square) });
    }

    /** @param {string} name */
    _choose(name) {
      if (this._leaves()) return;
      const isHeld = name.endsWith("*") && name[0] !== "x";
      if (isHeld && this._chosen && this._chosen[0] !== name[0]) {
        this._moveInto(this._chosen, name[0]);
      } else if (this._chosen === name) {
        this._cancelChoice();
      } else if (name[0] === "x" && this._available()[name[1]] < 1) {
        this._tell("compose.none_left", { piece: pieceName(name[1]) });
      } else {
        this._setChosen(name);
        this._render();
        this._tell("web.picked", { piece: this._choiceName(name) });
      }
    }

    /** @param {Event} event */
    _clickBeside(event) {
      const into = closest(event, "[data-into]")?.dataset.into;
      if (!into || closest(event, ".tb-toggle") || this._leaves()) return;
      if (this._chosen) this._moveInto(this._chosen, into);
      else if (closest(event, ".tb-into")) this._tell("compose.choose_first");
    }

    // Closes a line that is shown instead of editing. Returns whether there is one.
    _leaves() {
      const { locked } = this;
      if (locked) this._fire("leave"); // unlocks
      return locked;
    }

    /** @param {string} name */
    _choiceName(name) {
      const piece = this._sideName(this._pieceAt(name));
      return name.endsWith("*") ? piece : `${squareName(name)} ${piece}`;
    }

    /** @param {string} place @returns {Piece} */
    _pieceAt(place) {
      if (!place.endsWith("*")) return this.position.pieceOn(place);
      return { kind: place[1], side: place[0] === "x" ? this.side : /** @type {Side} */ (place[0]) };
    }

    // --- edits --------------------------------------------------------------------------------------

    /** @param {Position} position @param {string} message @param {boolean} [rest] */
    _edit(position, message, rest = this.rest) {
      this._setChosen(null);
      this._fire("edit", { position: rest ? completed(position) : position, rest, message });
    }

    /** @param {string} from @param {string} square */
    _place(from, square) {
      this._put(without(this.position, from), square, this._pieceAt(from));
    }

    /** @param {Position} position @param {string} square @param {Piece} piece */
    _put(position, square, piece) {
      const message = say("compose.placed", { square: squareName(square), piece: this._sideName(piece) });
      this._edit(withPiece(position, square, piece), message);
    }

    /** @param {string} from @param {string} into "b" or "w" for a hand, "x" for the box */
    _moveInto(from, into) {
      const kind = unpromoted(this._pieceAt(from).kind);
      if (into === "x" || (into === "w" && this.rest)) {
        this._remove(from);
      } else if (kind === "K") {
        this._tell("compose.no_king_in_hand");
      } else {
        const message = say("compose.put_in_hand", { piece: pieceName(kind), hand: this._handName(into) });
        this._edit(withHand(without(this.position, from), /** @type {Side} */ (into), kind, 1), message);
      }
    }

    /** @param {string} place */
    _remove(place) {
      if (place[0] === "x") this._cancelChoice();
      else this._edit(without(this.position, place), say("compose.taken_off", { piece: this._choiceName(place) }));
    }

    _toggleRest() {
      if (this._leaves()) return;
      this._edit(this.position, say(this.rest ? "compose.rest_off" : "compose.rest_on"), !this.rest);
    }

    /** @param {Side} side */
    _chooseSide(side) {
      this.side = side;
      this._render();
      this._tell("compose.side_chosen", { side: say(`compose.side_${side}`) });
    }

    // --- edits of the current piece: the chosen one on the board, or else the one under the cursor ----

    // Its square; null if the square is empty, which is told, or if a line was shown.
    currentSquare() {
      const square = this._current;
      if (this._leaves()) return null;
      if (this.position.squares.has(square)) return square;
      this._tell("compose.empty_square", { square: squareName(square) });
      return null;
    }

    promote() {
      const square = this.currentSquare();
      if (!square) return;
      const piece = turnedOver(this._pieceAt(square));
      if (piece) this._put(this.position, square, piece);
      else this._tell("compose.never_promotes", { piece: this._choiceName(square) });
    }

    changeSide() {
      const square = this.currentSquare();
      if (!square) return;
      const { kind, side } = this._pieceAt(square);
      this._put(this.position, square, { kind, side: otherSide(side) });
    }

    moveToHand() {
      const square = this.currentSquare();
      if (square) this._moveInto(square, "b");
    }

    remove() {
      const square = this.currentSquare();
      if (square) this._remove(square);
    }

    /** @param {MouseEvent} event */
    _cycle(event) {
      const square = closest(event, "[data-square]")?.dataset.square;
      if (!square) return;
      event.preventDefault();
      const isLongPress = event instanceof PointerEvent && event.pointerType === "touch" && event.type === "contextmenu";
      if (isLongPress || this._leaves()) return;
      this._moveCursor(square, false);
      const piece = this.position.squares.get(square);
      if (piece) this._put(this.position, square, cycled(piece));
      else this._act(square);
    }

    // --- keys ---------------------------------------------------------------------------------------

    /** @param {string} key @param {string} square */
    _pressOtherKey(key, square) {
      const lower = key.toLowerCase();
      if (key === "+" || key === "=") this.promote();
      else if (lower === "h") this.moveToHand();
      else if (lower === "x") this._changeSideAt(square);
      else if (key === "Delete" || key === "Backspace") this.remove();
      else if (isLetter(key)) this._enter(key, square);
      else return false;
      return true;
    }

    // Puts a piece of the side chosen in the box on a square; with Shift, of the other side.
    /** @param {string} key @param {string} square */
    _enter(key, square) {
      if (this._leaves()) return;
      const kind = key.toUpperCase();
      if (this._available()[kind] < 1) this._tell("compose.none_left", { piece: pieceName(kind) });
      else this._put(this.position, square, { kind, side: key === kind ? otherSide(this.side) : this.side });
    }

    /** @param {string} square */
    _changeSideAt(square) {
      if (this.position.squares.has(square)) this.changeSide();
      else this._chooseSide(otherSide(this.side));
    }

    /**
     * Beside the board a letter puts a piece from the box into the hand, or chooses it in the box.
     * @param {KeyboardEvent} event
     * @param {string} into
     */
    _pressKeyBeside(event, into) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const name = closest(event, "[data-name]")?.dataset.name || "";
      if (event.key === "Escape" && this._chosen) this._cancelChoice();
      else if ((event.key === "Delete" || event.key === "Backspace") && name.endsWith("*")) this._remove(name);
      else if (event.key.toLowerCase() === "x") this._chooseSide(otherSide(this.side));
      else if (isLetter(event.key)) this._enterBeside(event.key.toUpperCase(), into);
      else return;
      event.preventDefault();
    }

    /** @param {string} kind @param {string} into */
    _enterBeside(kind, into) {
      if (into === "x" || this._available()[kind] < 1) {
        this._setChosen(null);
        this._choose(`x${kind}*`);
      } else if (!this._leaves() && !(into === "w" && this.rest)) {
        this._moveInto(`x${kind}*`, into);
      }
    }

    // --- dragging -----------------------------------------------------------------------------------

    /** @param {HTMLElement} source */
    _canDrag(source) {
      return !this.locked && source.getAttribute("aria-disabled") !== "true";
    }

    /** @param {string} from @param {Element | null} under */
    _drop(from, under) {
      const square = under?.closest(/** @type {"div"} */ ("[data-square]"))?.dataset.square;
      const into = under?.closest(/** @type {"div"} */ ("[data-into]"))?.dataset.into;
      this._setChosen(null);
      if (square && square !== from) {
        this._moveCursor(square, true);
        this._place(from, square);
      } else if (into && into !== from[0]) {
        this._moveInto(from, into);
      } else if (!square && !into && from[0] !== "x") {
        this._remove(from);
      }
    }
  };

  /** @param {string} key */
  function isLetter(key) {
    return key.length === 1 && LETTERS.includes(key.toUpperCase());
  }
})();

customElements.define("tsume-editor", TsumeEditor);
