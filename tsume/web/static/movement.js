// SPDX-License-Identifier: GPL-3.0-or-later
// Pieces that slide to their squares. The board shows the new position at once; only the drawings come after it.
"use strict";

const TsumeMovement = (function () {
  const DURATION = 170; // milliseconds

  function isOn() {
    return TsumeSettings.get("movement") === "on" && !matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  return class {
    /** @param {Map<string, HTMLElement>} cells @param {Record<Side, HTMLElement>} hands */
    constructor(cells, hands) {
      this._cells = cells;
      this._hands = hands;
      this._until = 0; // when the last movement ends, by performance.now()
    }

    // Prepares the movement of a change before the board shows it. Returns what starts it afterwards.
    /** @param {PositionChange} change */
    prepare(change) {
      if (!change.steps.length || !isOn()) return () => {};
      const origins = change.steps.map((step) => middle(this._origin(step)));
      const captured = change.isCapture ? drawnPiece(this._cell(change.steps[0].to)) : null;
      return () => {
        const delay = change.isMove ? this._wait() : 0; // an answer waits for the check
        change.steps.forEach((step, index) => this._slide(this._cell(step.to), origins[index], delay, captured));
        this._until = performance.now() + delay + DURATION;
      };
    }

    _wait() {
      return Math.min(Math.max(0, this._until - performance.now()), DURATION);
    }

    /** @param {string} square */
    _cell(square) {
      return /** @type {HTMLElement} */ (this._cells.get(square));
    }

    /** @param {PieceStep} step */
    _origin({ from, kind, side }) {
      if (from) return this._cell(from);
      return this._hands[side].querySelector(`[data-hand="${kind}"]`) || this._hands[side];
    }

    /**
     * @param {HTMLElement} cell
     * @param {{x: number, y: number}} origin
     * @param {number} delay
     * @param {SVGElement | null} captured is seen below until the piece arrives
     */
    _slide(cell, origin, delay, captured) {
      const piece = drawnPiece(cell);
      if (!piece) return;
      const { x, y } = middle(cell);
      const from = `translate(${origin.x - x}px, ${origin.y - y}px)`;
      const options = /** @type {const} */ ({ duration: DURATION, delay, easing: "ease-out", fill: "backwards" });
      const movement = piece.animate([{ transform: from }, { transform: "none" }], options);
      piece.classList.add("tb-moving");
      captured?.classList.add("tb-captured");
      if (captured) cell.prepend(captured);
      movement.onfinish = () => {
        piece.classList.remove("tb-moving");
        captured?.remove();
      };
    }
  };

  /** @param {HTMLElement} cell @returns {SVGElement | null} */
  function drawnPiece(cell) {
    return cell.querySelector(".tb-piece:not(.tb-captured)");
  }

  /** @param {Element} element */
  function middle(element) {
    const { left, top, width, height } = element.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  }
})();
