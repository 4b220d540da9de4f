// SPDX-License-Identifier: GPL-3.0-or-later
// Dragging of pieces with a pointer: a copy of the piece follows it. A press without a movement stays a click.
"use strict";

/**
 * @typedef {{
 *   from: string, source: HTMLElement, x: number, y: number, pointer: number, ghost: SVGElement | null, ended: AbortController,
 * }} Drag
 */

const TsumePieceDrag = (function () {
  const MIN_DISTANCE = 8; // pixels

  return class {
    /**
     * @param {HTMLElement} board
     * @param {{
     *   canDrag: (source: HTMLElement) => boolean, lift: (from: string) => void, drop: (from: string, under: Element | null) => void,
     * }} actions lift may change the position, drop is called with the element of the board under the pointer
     */
    constructor(board, { canDrag, lift, drop }) {
      this._board = board;
      this._canDrag = canDrag;
      this._beforeLift = lift;
      this._drop = drop;
      /** @type {Drag | null} */
      this._drag = null;
      this.justDropped = false; // until the click that ends a drag
      board.addEventListener("pointerdown", (event) => this._press(event));
    }

    /** @param {PointerEvent} event */
    _press(event) {
      this.justDropped = false;
      const source = TsumeDom.closest(event, "[data-hand], .tb-own");
      if (!source || event.button || !this._canDrag(source)) return;
      this._end();
      const from = source.dataset.square || source.dataset.name || "";
      const ended = new AbortController();
      const drag = {
        from, source, x: event.clientX, y: event.clientY, pointer: event.pointerId, ghost: null, ended,
      };
      this._drag = drag;
      const options = { signal: ended.signal };
      document.addEventListener("pointermove", (moved) => this._move(drag, moved), options); // also outside the board
      document.addEventListener("pointerup", (released) => this._release(drag, released), options);
      document.addEventListener("pointercancel", () => this._end(), options);
    }

    /** @param {Drag} drag @param {PointerEvent} event */
    _move(drag, event) {
      if (event.pointerId !== drag.pointer) return;
      if (!drag.ghost) {
        if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < MIN_DISTANCE) return;
        drag.ghost = this._lift(drag);
        if (!drag.ghost) {
          this._end();
          return;
        }
      }
      drag.ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -50%)`;
      event.preventDefault();
    }

    // The copy that follows the pointer; null if the piece is not there any more.
    /** @param {Drag} drag */
    _lift(drag) {
      const { from } = drag;
      this._beforeLift(from);
      const source = this._board.querySelector(/** @type {"div"} */ (`[data-square="${from}"].tb-own, [data-name="${from}"]`));
      if (!source) return null;
      drag.source = source;
      const piece = /** @type {SVGElement} */ (source.querySelector("svg"));
      const ghost = /** @type {SVGElement} */ (piece.cloneNode(true));
      ghost.classList.add("tb-ghost");
      ghost.style.width = `${piece.getBoundingClientRect().width * 1.15}px`;
      source.classList.add("tb-lifted");
      this._board.append(ghost);
      return ghost;
    }

    /** @param {Drag} drag @param {PointerEvent} event */
    _release(drag, event) {
      if (event.pointerId !== drag.pointer) return;
      this._end();
      if (!drag.ghost) return;
      this.justDropped = true;
      setTimeout(() => { this.justDropped = false; }, 0);
      const under = document.elementFromPoint(event.clientX, event.clientY);
      this._drop(drag.from, this._board.contains(under) ? under : null);
    }

    _end() {
      if (!this._drag) return;
      this._drag.ended.abort();
      this._drag.ghost?.remove();
      this._drag.source.classList.remove("tb-lifted");
      this._drag = null;
    }
  };
})();
