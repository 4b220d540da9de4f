// SPDX-License-Identifier: GPL-3.0-or-later
// The question whether a piece promotes.
"use strict";

const TsumePromotionDialog = (function () {
  const { make, button } = TsumeDom;
  const { say } = TsumePhrases;
  const GAP = 4; // pixels between the square and the question
  const EDGE = 8; // pixels between the question and the edge of the window
  /** @type {Record<string, number>} */
  const STEPS = { Tab: 1, ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

  return class {
    constructor() {
      this.element = make("div", { role: "dialog", class: "tb-question", "aria-modal": "true", hidden: "" });
      this.element.addEventListener("keydown", (event) => this._pressKey(event));
    }

    /**
     * Asks beside a square.
     * @param {DOMRect} square
     * @param {string} kind
     * @param {(promotes: boolean | null) => void} answer called with null if the question is cancelled
     */
    open(square, kind, answer) {
      /** @type {(phrase: string, drawn: string, promotes: boolean) => HTMLButtonElement} */
      const choice = (phrase, drawn, promotes) => {
        const made = button("", () => answer(promotes), { "aria-label": say(phrase) });
        made.append(TsumeBoardDrawing.piece(drawn, "b"), make("span", {}, say(phrase)));
        return made;
      };
      this._buttons = [
        choice("web.promote", "+" + kind, true),
        choice("web.keep", kind, false),
        button(say("web.cancel"), () => answer(null), { class: "tb-cancel" }),
      ];
      this.element.setAttribute("aria-label", say("web.promote_question"));
      this.element.replaceChildren(...this._buttons);
      this.element.hidden = false;
      this._place(square);
      this._buttons[0].focus({ preventScroll: true });
    }

    // Below the square, or above it where there is more room, inside the window.
    /** @param {DOMRect} square */
    _place(square) {
      const { width, height } = this.element.getBoundingClientRect();
      const below = square.bottom + GAP;
      const top = below + height <= innerHeight ? below : square.top - GAP - height;
      const left = square.left + (square.width - width) / 2;
      const board = /** @type {HTMLElement} */ (this.element.parentElement).getBoundingClientRect();
      this.element.style.left = `${within(left, innerWidth - width) - board.left}px`;
      this.element.style.top = `${within(top, innerHeight - height) - board.top}px`;
    }

    close() {
      this.element.hidden = true;
    }

    /** @param {KeyboardEvent} event */
    _pressKey(event) {
      const buttons = this._buttons || [];
      const focused = buttons.findIndex((one) => one === document.activeElement);
      const step = event.key === "Tab" && event.shiftKey ? -1 : STEPS[event.key];
      if (event.key === "Escape") buttons[2].click();
      else if (step) buttons[(focused + step + buttons.length) % buttons.length].focus();
      else return;
      event.preventDefault();
      event.stopPropagation();
    }
  };

  /** @param {number} place @param {number} most */
  function within(place, most) {
    return Math.max(EDGE, Math.min(place, most - EDGE));
  }
})();
