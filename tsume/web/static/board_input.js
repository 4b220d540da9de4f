// SPDX-License-Identifier: GPL-3.0-or-later
// A board that takes input: clicks, a cursor moved by keys, dragged pieces. <tsume-board> and <tsume-editor> extend it
// and define what the input means. It fires `say` (detail: a sentence) for what the user should be told.
"use strict";

const TsumeInteractiveBoard = (function () {
  const { FILES, RANKS } = TsumePosition;
  const { closest } = TsumeDom;
  const { say } = TsumePhrases;
  /** @type {Record<string, [number, number]>} */
  const STEPS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

  return class extends TsumeBoardView {
    _drag = new TsumePieceDrag(this, {
      canDrag: (source) => this._canDrag(source), lift: (from) => this._lift(from), drop: (from, under) => this._drop(from, under),
    });

    _build() {
      super._build();
      this.addEventListener("click", (event) => this._click(event));
      this._grid.addEventListener("keydown", (event) => this._pressKey(event));
    }

    // --- defined by the boards that extend this one ---------------------------------------------------

    // A square is clicked or entered.
    /** @param {string} _square */
    _act(_square) {}

    // A piece beside the board is clicked or entered.
    /** @param {string} _name */
    _choose(_name) {}

    // Something else is clicked.
    /** @param {Event} _event */
    _clickBeside(_event) {}

    /**
     * A key without a meaning for all boards is pressed on a square. Returns whether it has one here.
     * @param {string} _key
     * @param {string} _square
     */
    _pressOtherKey(_key, _square) {
      return false;
    }

    // Whether a piece can be dragged.
    /** @param {HTMLElement} _source */
    _canDrag(_source) {
      return true;
    }

    // A piece is about to be dragged.
    /** @param {string} _from */
    _lift(_from) {}

    /**
     * A dragged piece is released over an element of the board, or outside of it.
     * @param {string} _from
     * @param {Element | null} _under
     */
    _drop(_from, _under) {}

    // --- clicks ---------------------------------------------------------------------------------------

    /** @param {MouseEvent} event */
    _click(event) {
      if (this._drag.justDropped) { // this click ends a drag
        this._drag.justDropped = false;
        return;
      }
      const held = closest(event, "[data-hand]")?.dataset.name;
      const square = closest(event, "[data-square]")?.dataset.square;
      if (held) {
        this._choose(held);
        if (!event.detail && this._chosen) this._moveCursor(this._cursor, true); // chosen by a key: continue on the board
      } else if (square) {
        this._act(square);
      } else {
        this._clickBeside(event);
      }
    }

    _cancelChoice() {
      this._setChosen(null);
      this._render();
      this._tell("web.put_back");
    }

    /** @param {string} phrase @param {Record<string, string | number>} [parts] */
    _tell(phrase, parts) {
      this._fire("say", say(phrase, parts));
    }

    /** @param {string} name @param {unknown} [detail] */
    _fire(name, detail) {
      this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
    }

    // --- keys -----------------------------------------------------------------------------------------

    /** @param {KeyboardEvent} event */
    _pressKey(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const square = closest(event, "[data-square]")?.dataset.square || this._cursor;
      this._moveCursor(square, false);
      if (STEPS[event.key]) this._step(square, STEPS[event.key]);
      else if (event.key === "Home") this._moveCursor("9" + square[1], true);
      else if (event.key === "End") this._moveCursor("1" + square[1], true);
      else if (event.key === "Enter" || event.key === " ") this._act(square);
      else if (event.key === "Escape" && this._chosen) this._cancelChoice();
      else if (!this._pressOtherKey(event.key, square)) return;
      event.preventDefault();
    }

    /** @param {string} square @param {[number, number]} step */
    _step(square, [x, y]) {
      const file = FILES.indexOf(square[0]) + x;
      const rank = RANKS.indexOf(square[1]) + y;
      if (file >= 0 && file < 9 && rank >= 0 && rank < 9) this._moveCursor(FILES[file] + RANKS[rank], true);
    }

    /** @param {string} square @param {boolean} focuses */
    _moveCursor(square, focuses) {
      for (const [name, cell] of this._cells) cell.tabIndex = name === square ? 0 : -1;
      this._cursor = square;
      if (focuses) this._cells.get(square)?.focus({ preventScroll: true });
    }
  };
})();
