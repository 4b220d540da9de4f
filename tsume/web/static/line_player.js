// A line of moves to step through: buttons, the moves, keys; the board shows each position.
//
// new TsumeLinePlayer(place, {editor, ended, intend}): `show(position, moves, {title, from})`, `close()`;
// `intend(moves)` is told that a person wants the line to be the solution.
"use strict";

(function () {
  const { readMove, RANKS, KANJI_RANKS, WIDE } = window.TsumePosition;
  const { language, say, element, button } = window.TsumeShared;

  class TsumeLinePlayer {
    constructor(place, { editor, ended, intend }) {
      this._place = place;
      this._intend = intend;
      this._editor = editor;
      this._ended = ended;
      this._steps = null;
      place.addEventListener("keydown", (event) => this._keyed(event));
    }

    get isOpen() {
      return this._steps !== null;
    }

    // Shows a line from its move number `from` (0 is the first) on, as far as it can be played.
    show(position, moves, { title, from = 0 }) {
      this._moves = [];
      this._steps = [position];
      for (const [number, usi] of moves.entries()) {
        if (!canBePlayed(this._steps[number], usi, side(number))) break;
        this._moves.push(usi);
        this._steps.push(this._steps[number].after(usi, side(number)));
      }
      this._before = document.activeElement;
      this._build(title);
      this.go(from);
      (this._on.disabled ? this._back : this._on).focus({ preventScroll: true });
      this._editor.scrollIntoView({ block: "nearest" });
    }

    close() {
      if (!this.isOpen) return;
      const focused = this._place.contains(document.activeElement);
      this._steps = null;
      this._place.hidden = true;
      this._place.replaceChildren();
      this._ended();
      if (focused && this._before.isConnected) this._before.focus({ preventScroll: true });
    }

    go(number) {
      if (!this.isOpen) return;
      this._at = Math.min(Math.max(number, 0), this._moves.length);
      const arrows = this._moves.slice(this._at, this._at + 1);
      const last = this._at ? this._moves[this._at - 1] : null;
      this._editor.show(this._steps[this._at], { locked: true, kept: new Set(), arrows, last });
      this._back.disabled = this._at === 0;
      this._on.disabled = this._at === this._moves.length;
      this._buttons.forEach((one, index) => {
        if (index === this._at) one.setAttribute("aria-current", "step");
        else one.removeAttribute("aria-current");
      });
      this._said.textContent = this._told();
    }

    step(by) {
      this.go(this._at + by);
    }

    _told() {
      const next = this._moves[this._at];
      if (next) return say("compose.next_move", { number: this._at + 1, move: this._text(this._at) });
      return say("compose.line_end", { moves: this._moves.length });
    }

    _build(title) {
      this._back = button("◀", () => this._stepByButton(-1));
      this._back.setAttribute("aria-label", say("compose.step_back"));
      this._on = button("▶", () => this._stepByButton(1));
      this._on.setAttribute("aria-label", say("compose.step_on"));
      const intend = button(say("compose.intend"), () => this._intend(this._moves));
      const close = button(say("compose.close_line"), () => this.close());
      this._said = element("p", "tc-step");
      this._said.setAttribute("role", "status");
      const start = button(say("compose.line_start"), () => this.go(0));
      this._buttons = [start, ...this._moves.map((_, number) => button(this._text(number), () => this.go(number + 1)))];
      const moves = element("ol", "tc-moves", ...this._buttons.map((one) => element("li", "", one)));
      moves.setAttribute("aria-label", say("compose.line"));
      this._place.setAttribute("role", "group");
      this._place.setAttribute("aria-label", title);
      this._place.replaceChildren(
        element("p", "tc-line-title", title), element("div", "tc-tools", this._back, this._on, close, intend),
        this._said, moves);
      this._place.hidden = false;
    }

    // A button that is disabled loses the focus: the other one gets it.
    _stepByButton(by) {
      this.step(by);
      if (this._back.disabled && by < 0) this._on.focus();
      if (this._on.disabled && by > 0) this._back.focus();
    }

    _keyed(event) {
      const act = {
        ArrowRight: () => this.step(1), ArrowLeft: () => this.step(-1),
        Home: () => this.go(0), End: () => this.go(this._moves.length), Escape: () => this.close(),
      }[event.key];
      if (!act || !this.isOpen) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    }

    _text(number) {
      const before = number ? this._moves[number - 1].slice(2, 4) : null;
      return moveText(this._steps[number], this._moves[number], side(number), before);
    }
  }

  function side(number) {
    return number % 2 ? "w" : "b";
  }

  // Whether there is a piece to move; what it may do is not known here.
  function canBePlayed(position, usi, mover) {
    const { drop, origin } = readMove(usi);
    return drop ? position.hands[mover][drop] > 0 : position.squares.get(origin)?.side === mover;
  }

  // A move with where it comes from: ▲２三金(34), G3d-2c.
  function moveText(position, usi, mover, before) {
    const { drop, origin, target, promotes } = readMove(usi);
    const kind = position.mover(usi);
    if (language !== "ja") {
      const taken = position.squares.has(target) ? "x" : "-";
      return drop ? `${kind}*${target}` : `${kind}${origin}${taken}${target}${promotes ? "+" : ""}`;
    }
    const digits = (square) => square[0] + (RANKS.indexOf(square[1]) + 1);
    const wide = WIDE[Number(target[0])] + KANJI_RANKS[RANKS.indexOf(target[1])];
    const place = target === before ? "同" : wide;
    const name = window.TSUME_PIECES[kind].name.ja;
    const rest = drop ? "打" : `${promotes ? "成" : ""}(${digits(origin)})`;
    return `${mover === "b" ? "▲" : "△"}${place}${name}${rest}`;
  }

  window.TsumeLinePlayer = TsumeLinePlayer;
})();
