// SPDX-License-Identifier: GPL-3.0-or-later
// Steps through a line of moves with buttons and keys; the editor shows each position.
"use strict";

const TsumeLinePlayer = (function () {
  const { make, button, find, enable } = TsumeDom;
  const { say } = TsumePhrases;

  // Scrolls the list of moves, which is one row on a phone, to a move; the page stays where it is.
  /** @param {HTMLElement} move */
  function scrollTo(move) {
    const list = /** @type {HTMLElement} */ (move.closest(".tc-moves"));
    const [inner, outer] = [move.getBoundingClientRect(), list.getBoundingClientRect()];
    list.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2;
  }

  return class {
    /**
     * @param {HTMLElement} place
     * @param {{
     *   editor: InstanceType<typeof TsumeEditor>, closed: () => void, intend: (moves: string[]) => void,
     *   isIntended: (moves: string[]) => boolean,
     * }} options `intend` is called with a line that the user makes the intended solution
     */
    constructor(place, { editor, closed, intend, isIntended }) {
      this._place = place;
      this._editor = editor;
      this._closed = closed;
      this._intend = intend;
      this._isIntended = isIntended;
      /** @type {TsumeMoveLine | null} */
      this._line = null;
      /** @type {Element | null} */
      this._focusedBefore = null;
      this._back = button("◀", () => this.step(-1), { "aria-label": say("compose.step_back") });
      this._forward = button("▶", () => this.step(1), { "aria-label": say("compose.step_on") });
      this._message = make("p", { class: "tc-step", role: "status" });
      /** @type {HTMLButtonElement[]} */
      this._buttons = []; // the start and each move
      place.addEventListener("keydown", (event) => this._pressKey(event));
    }

    get isOpen() {
      return this._line !== null;
    }

    /**
     * Shows a line after its first `from` moves.
     * @param {Position} position
     * @param {string[]} moves
     * @param {{title: string, from?: number}} options
     */
    show(position, moves, { title, from = 0 }) {
      this._line = new TsumeMoveLine(position, moves);
      this._focusedBefore = document.activeElement;
      this._build(this._line, title);
      this._go(from);
      this._forward.focus({ preventScroll: true });
      this._showBoard();
    }

    // Scrolls the board into view; a line that covers the lower edge of a small window leaves room at the upper one.
    _showBoard() {
      const isOverlay = getComputedStyle(this._place).position === "fixed";
      const table = find(this._editor, ".tb-table");
      const { top, bottom } = table.getBoundingClientRect();
      const isSeen = top >= 0 && bottom <= innerHeight; // a sticky board is seen, but would be scrolled to
      if (isOverlay || !isSeen) table.scrollIntoView({ block: isOverlay ? "start" : "nearest" });
    }

    close() {
      if (!this._line) return;
      const hasFocus = this._place.contains(document.activeElement);
      const before = this._focusedBefore;
      this._line = null;
      this._place.hidden = true;
      this._place.replaceChildren();
      this._closed();
      if (!hasFocus) return;
      if (before instanceof HTMLElement && before.isConnected && before !== document.body) before.focus(); // and back to it, if the board was scrolled to
      else this._editor.focusCursor();
    }

    /** @param {-1 | 1} by */
    step(by) {
      if (this._line) this._go(this._line.index + by);
    }

    /** @param {number} index */
    _go(index) {
      const line = this._line;
      if (!line) return;
      line.go(index);
      const arrows = line.moves.slice(line.index, line.index + 1);
      const side = TsumeMoveLine.side(line.index);
      this._editor.show(line.position, { locked: true, kept: new Set(), arrows, side, last: line.last });
      enable(this._back, line.index > 0);
      enable(this._forward, !line.isAtEnd);
      this._buttons.forEach((one, number) => {
        if (number === line.index) one.setAttribute("aria-current", "step");
        else one.removeAttribute("aria-current");
      });
      scrollTo(this._buttons[line.index]);
      this._message.textContent = line.isAtEnd
        ? say("compose.line_end", { moves: line.moves.length })
        : say("compose.next_move", { number: line.index + 1, move: line.text(line.index) });
    }

    /** @param {TsumeMoveLine} line @param {string} title */
    _build(line, title) {
      const intend = this._isIntended(line.moves) ? [] : [button(say("compose.intend"), () => this._intend(line.moves))];
      const close = button(say("compose.close_line"), () => this.close());
      this._buttons = [
        button(say("compose.line_start"), () => this._go(0)),
        ...line.moves.map((_, index) => button(line.text(index), () => this._go(index + 1))),
      ];
      const items = this._buttons.map((one) => make("li", {}, one));
      this._place.setAttribute("role", "group");
      this._place.setAttribute("aria-label", title);
      this._place.replaceChildren(
        make("p", { class: "tc-line-title" }, title),
        make("div", { class: "tc-tools" }, this._back, this._forward, close, ...intend),
        this._message,
        make("ol", { class: "tc-moves", "aria-label": say("compose.line") }, ...items));
      this._place.hidden = false;
    }

    /** @param {KeyboardEvent} event */
    _pressKey(event) {
      if (!this._line) return;
      if (event.key === "ArrowRight") this.step(1);
      else if (event.key === "ArrowLeft") this.step(-1);
      else if (event.key === "Home") this._go(0);
      else if (event.key === "End") this._go(this._line.moves.length);
      else if (event.key === "Escape") this.close();
      else return;
      event.preventDefault();
      event.stopPropagation();
    }
  };
})();
