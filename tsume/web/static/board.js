// <tsume-board>: a board to play on with mouse, touch and keys; and the board without the play, TsumeBoardBase.
//
// Its player sets `position`, `checks` (the moves, in USI, that may be played), `language`, `signs` and calls
// `show`. The element fires `move` (detail: USI), and `say` (detail: a sentence) for what a person should hear.
// It needs window.TSUME_PIECES, window.TSUME_WORDS and window.TsumePosition; nothing else.
"use strict";

(function () {
  const { Position, readMove, FILES, RANKS, HAND_ORDER, KANJI_RANKS, WIDE } = window.TsumePosition;
  const SVG = "http://www.w3.org/2000/svg";
  const DOTS = [[3, 3], [6, 3], [3, 6], [6, 6]];
  const DRAG_FROM = 8; // pixels
  const STEPS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

  function make(name, attributes, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  }

  function draw(name, attributes, ...children) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  }

  // A board with hands that draws a position and has a cursor; pieces can be chosen and dragged. What comes of it
  // is said by who extends it: `_act` (a square is clicked or entered), `_choose` (a piece in hand is),
  // `_clickedBeside` (anything else is), `_liftable` and `_droppedOn` (dragging), `_keyedMore` (other keys).
  class TsumeBoardBase extends HTMLElement {
    connectedCallback() {
      if (this._grid) return;
      this.position = Position.fromSfen("9/9/9/9/9/9/9/9/9 b - 1");
      this.language = this.language || "ja";
      this.signs = this.signs || "kanji";
      this._last = null;
      this._chosen = null; // "2c", or "G*" for a piece in hand
      this._focus = "5e";
      this._build();
      this._render();
    }

    // Shows a position: `last` is the move that led to it, `arrows` moves that are pointed out, `rings` squares
    // or "G*" for pieces in hand.
    show(position, { last = null, arrows = [], rings = [] } = {}) {
      this.position = position;
      this._last = last;
      this._arrows = arrows;
      this._rings = rings;
      this._chosen = null;
      this._render();
    }

    // A phrase with its parts.
    say(name, parts = {}) {
      return window.TSUME_WORDS[this.language][name].replace(/\{(\w+)\}/g, (_, part) => parts[part]);
    }

    pieceName(kind) {
      return window.TSUME_PIECES[kind].name[this.language];
    }

    squareName(square) {
      if (this.language !== "ja") return square;
      return WIDE[Number(square[0])] + KANJI_RANKS[RANKS.indexOf(square[1])];
    }

    // --- building -----------------------------------------------------------------------------------

    _build() {
      this._cells = new Map();
      this._grid = make("div", { role: "grid", class: "tb-grid" });
      for (const rank of RANKS) {
        const row = make("div", { role: "row", class: "tb-row" });
        for (const file of FILES) {
          const cell = make("div", { role: "gridcell", class: "tb-cell", "data-square": file + rank, tabindex: "-1" });
          this._cells.set(file + rank, cell);
          row.append(cell);
        }
        this._grid.append(row);
      }
      this._files = make("div", { class: "tb-files", "aria-hidden": "true" });
      this._ranks = make("div", { class: "tb-ranks", "aria-hidden": "true" });
      this._over = draw("svg", { class: "tb-arrows", viewBox: "0 0 360 396", "aria-hidden": "true" });
      this._hands = {
        w: make("div", { role: "group", class: "tb-hand tb-defender" }),
        b: make("div", { role: "group", class: "tb-hand tb-attacker" }),
      };
      const table = make("div", { class: "tb-table" }, this._files, this._grid, this._ranks, this._over);
      this.append(this._hands.w, table, this._hands.b);
      this.addEventListener("click", (event) => this._clicked(event));
      this._grid.addEventListener("keydown", (event) => this._keyed(event));
      this.addEventListener("pointerdown", (event) => this._pressed(event));
    }

    // --- drawing ------------------------------------------------------------------------------------

    _render() {
      this._grid.setAttribute("aria-label", this.say("web.board"));
      const files = this.language === "ja" ? [...FILES].map((file) => WIDE[Number(file)]) : [...FILES];
      const ranks = this.language === "ja" ? KANJI_RANKS : RANKS;
      this._files.replaceChildren(...files.map((text) => make("span", {}, text)));
      this._ranks.replaceChildren(...[...ranks].map((text) => make("span", {}, text)));
      const last = this._last ? readMove(this._last) : {};
      for (const [square, cell] of this._cells) {
        const piece = this.position.squares.get(square);
        const drawn = piece ? piece.side + piece.kind + this.signs : "";
        if (cell.drawn !== drawn) cell.replaceChildren(...(piece ? [this._drawing(piece.kind, piece.side)] : []));
        cell.drawn = drawn;
        cell.classList.toggle("tb-own", Boolean(piece) && this._isOwn(piece));
        cell.classList.toggle("tb-last", square === last.target);
        cell.classList.toggle("tb-left", square === last.origin);
        cell.classList.toggle("tb-chosen", square === this._chosen);
        cell.tabIndex = square === this._focus ? 0 : -1;
        cell.setAttribute("aria-selected", String(square === this._chosen));
        cell.setAttribute("aria-label", this._label(square, piece));
      }
      this._renderHand("b");
      this._renderHand("w");
      this._renderOver();
    }

    // Whether a piece may be moved here.
    _isOwn(piece) {
      return piece.side === "b";
    }

    _sideName({ kind, side }) {
      return this.say(side === "b" ? "web.own" : "web.other", { piece: this.pieceName(kind) });
    }

    _label(square, piece) {
      const what = piece ? this._sideName(piece) : this.say("web.empty");
      const chosen = square === this._chosen ? " " + this.say("web.chosen") : "";
      return `${this.squareName(square)} ${what}${chosen}`;
    }

    _drawing(kind, side) {
      const shape = window.TSUME_PIECES[kind];
      const turned = side === "w" ? "rotate(180)" : "";
      const upright = turned && this.signs === "letters";
      return draw(
        "svg",
        { class: "tb-piece" + (kind[0] === "+" ? " tb-promoted" : ""), viewBox: "-20 -22 40 44", "aria-hidden": "true" },
        draw("path", { class: "tb-edge", d: shape.edge, transform: turned }),
        draw("path", {
          class: "tb-sign", d: shape[this.signs], transform: upright ? "translate(0 -6)" : turned,
        }),
      );
    }

    _renderHand(side) {
      const hand = this._hands[side];
      hand.setAttribute("aria-label", this.say(side === "b" ? "web.attacker_hand" : "web.defender_hand"));
      const head = make("span", { class: "tb-head", "aria-hidden": "true" },
        this.say(side === "b" ? "web.in_hand" : "web.defender_hand"));
      const kinds = [...HAND_ORDER].filter((kind) => this.position.hands[side][kind]);
      if (side === "w") {
        hand.replaceChildren(head, make("span", { class: "tb-rest" }, this.say("web.defender_rest")));
        return;
      }
      const pieces = kinds.map((kind) => this._handButton(kind, this.position.hands[side][kind]));
      hand.replaceChildren(head, ...(pieces.length ? pieces : [make("span", {}, this.say("web.nothing"))]));
    }

    // A piece to be chosen beside the board; `name` is what it is called when it is chosen.
    _handButton(kind, count, { name = kind + "*", side = "b", words = "web.hand_piece" } = {}) {
      const button = make("button", {
        type: "button", class: "tb-held", "data-hand": kind, "data-name": name,
        "aria-pressed": String(this._chosen === name),
        "aria-label": this.say(words, { piece: this.pieceName(kind), count }),
      }, this._drawing(kind, side));
      if (count > 1) button.append(make("span", { class: "tb-count", "aria-hidden": "true" }, String(count)));
      button.classList.toggle("tb-chosen", this._chosen === name);
      button.classList.toggle("tb-ring", (this._rings || []).includes(name));
      return button;
    }

    _renderOver() {
      const rings = (this._rings || []).filter((name) => !name.endsWith("*"));
      this._over.replaceChildren(
        ...DOTS.map(([x, y]) => draw("circle", { class: "tb-dot", cx: x * 40, cy: y * 44, r: 2.5 })),
        ...rings.flatMap((square) => {
          const [cx, cy] = centre(square);
          return ["tb-ring tb-halo", "tb-ring"].map((name) => draw("circle", { class: name, cx, cy, r: 18 }));
        }),
        ...this._pointedOut().map((usi) => this._arrow(usi)),
      );
    }

    _pointedOut() {
      return this._arrows || [];
    }

    _arrow(usi) {
      const move = readMove(usi);
      const [x, y] = centre(move.target);
      const [fromX, fromY] = move.drop ? [x, Math.min(y + 66, 390)] : centre(move.origin);
      const length = Math.hypot(x - fromX, y - fromY) || 1;
      const [dx, dy] = [(x - fromX) / length, (y - fromY) / length];
      const [tipX, tipY] = [x - dx * 6, y - dy * 6];
      const [neckX, neckY] = [tipX - dx * 13, tipY - dy * 13];
      const head = `M${tipX} ${tipY}L${neckX - dy * 8} ${neckY + dx * 8}L${neckX + dy * 8} ${neckY - dx * 8}Z`;
      const line = { x1: fromX, y1: fromY, x2: neckX, y2: neckY };
      return draw("g", { class: "tb-arrow" },
        draw("line", { class: "tb-halo", ...line }), draw("path", { class: "tb-halo", d: head }),
        draw("line", line), draw("path", { d: head }));
    }

    // --- choosing -----------------------------------------------------------------------------------

    _clicked(event) {
      if (this._dropped) { // a drag ends with a click
        this._dropped = false;
        return;
      }
      const held = event.target.closest("[data-hand]");
      const cell = event.target.closest("[data-square]");
      if (held) {
        this._choose(held.dataset.name);
        if (!event.detail && this._chosen) this._focusOn(this._focus, true); // by a key: on to the board
      } else if (cell) {
        this._act(cell.dataset.square);
      } else {
        this._clickedBeside(event.target);
      }
    }

    _clickedBeside() {}

    _tell(name, parts) {
      this.dispatchEvent(new CustomEvent("say", { detail: this.say(name, parts), bubbles: true }));
    }

    _putBack() {
      this._chosen = null;
      this._render();
      this._tell("web.put_back");
    }

    // --- keys ---------------------------------------------------------------------------------------

    _keyed(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const { square } = event.target.dataset;
      this._focusOn(square, false);
      if (STEPS[event.key]) this._step(square, STEPS[event.key]);
      else if (event.key === "Home") this._focusOn("9" + square[1], true);
      else if (event.key === "End") this._focusOn("1" + square[1], true);
      else if (event.key === "Enter" || event.key === " ") this._act(square);
      else if (event.key === "Escape" && this._chosen) this._putBack();
      else if (!this._keyedMore(event.key, square)) return;
      event.preventDefault();
    }

    // Whether another key means something here; it is done then.
    _keyedMore() {
      return false;
    }

    _step(square, [x, y]) {
      const file = FILES.indexOf(square[0]) + x;
      const rank = RANKS.indexOf(square[1]) + y;
      if (file >= 0 && file < 9 && rank >= 0 && rank < 9) this._focusOn(FILES[file] + RANKS[rank], true);
    }

    _focusOn(square, move) {
      this._cells.get(this._focus).tabIndex = -1;
      this._focus = square;
      const cell = this._cells.get(square);
      cell.tabIndex = 0;
      if (move) cell.focus({ preventScroll: true });
    }

    // --- dragging -----------------------------------------------------------------------------------

    _pressed(event) {
      this._dropped = false;
      const source = event.target.closest("[data-hand], .tb-own");
      if (!source || event.button || !this._liftable(source)) return;
      const from = source.dataset.square || source.dataset.name;
      this._endDrag();
      const ended = new AbortController();
      this._drag = { from, source, x: event.clientX, y: event.clientY, id: event.pointerId, ghost: null, ended };
      const follow = (name, act) => document.addEventListener(name, act, { signal: ended.signal }); // also outside
      follow("pointermove", (moved) => this._dragged(moved));
      follow("pointerup", (released) => this._released(released));
      follow("pointercancel", () => this._endDrag());
    }

    _dragged(event) {
      const drag = this._drag;
      if (event.pointerId !== drag.id) return;
      if (!drag.ghost) {
        if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_FROM) return;
        const piece = drag.source.querySelector("svg");
        drag.ghost = piece.cloneNode(true);
        drag.ghost.classList.add("tb-ghost");
        drag.ghost.style.width = `${piece.getBoundingClientRect().width * 1.15}px`;
        drag.source.classList.add("tb-lifted");
        this.append(drag.ghost);
      }
      drag.ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -50%)`;
      event.preventDefault();
    }

    _released(event) {
      const drag = this._drag;
      if (event.pointerId !== drag.id) return;
      const lifted = Boolean(drag.ghost);
      this._endDrag();
      if (!lifted) return;
      this._dropped = true;
      setTimeout(() => { this._dropped = false; }, 0);
      const under = document.elementFromPoint(event.clientX, event.clientY);
      this._droppedOn(drag.from, under && this.contains(under) ? under : null);
    }

    _endDrag() {
      if (!this._drag) return;
      this._drag.ended.abort();
      this._drag.ghost?.remove();
      this._drag.source.classList.remove("tb-lifted");
      this._drag = null;
    }
  }

  class TsumeBoard extends TsumeBoardBase {
    connectedCallback() {
      this.checks = this.checks || [];
      super.connectedCallback();
    }

    show(position, options) {
      this._closeQuestion();
      super.show(position, options);
    }

    _build() {
      super._build();
      this._question = make("div", { role: "dialog", class: "tb-question", "aria-modal": "true", hidden: "" });
      this._question.addEventListener("keydown", (event) => this._keyedInQuestion(event));
      this.append(this._question);
    }

    _pointedOut() {
      return [...super._pointedOut(), ...(this._asked || [])];
    }

    // --- choosing -----------------------------------------------------------------------------------

    _act(square) {
      this._focusOn(square, false);
      if (!this.checks.length) return;
      const piece = this.position.squares.get(square);
      if (piece && piece.side === "b") this._choose(square);
      else if (this._chosen) this._go(this._chosen, square);
      else this._tell("web.not_yours");
    }

    _choose(name) {
      if (!this.checks.length) return;
      this._chosen = this._chosen === name ? null : name;
      const held = document.activeElement && document.activeElement.dataset.hand;
      this._render();
      if (held) this._focusHand(held);
      if (!this._chosen) this._tell("web.put_back");
      else this._tell("web.picked", { piece: this._nameOf(name) });
    }

    _nameOf(name) {
      if (name.endsWith("*")) return this.pieceName(name[0]);
      return this.squareName(name) + (this.language === "ja" ? "" : " ") +
        this.pieceName(this.position.squares.get(name).kind);
    }

    _focusHand(kind) {
      const button = this._hands.b.querySelector(`[data-hand="${kind}"]`);
      if (button) button.focus();
    }

    // Plays from a square or the hand to a square, if that is a check; asks about promotion as on any board.
    _go(from, target) {
      const drop = from.endsWith("*");
      const usi = from + target;
      const possible = [usi, usi + "+"].filter((move) => this.checks.includes(move));
      if (!possible.length) {
        this._chosen = null;
        this._render();
        this._tell("web.no_check");
      } else if (!drop && this.position.hasChoice(from, target)) {
        this._ask(usi, target);
      } else {
        this._play(possible[0]);
      }
    }

    _play(usi) {
      this._chosen = null;
      this._closeQuestion();
      this._render();
      if (this.checks.includes(usi)) this.dispatchEvent(new CustomEvent("move", { detail: usi, bubbles: true }));
      else this._tell("web.no_check");
    }

    // --- promotion ----------------------------------------------------------------------------------

    _ask(usi, target) {
      const { kind } = this.position.squares.get(usi.slice(0, 2));
      const answer = (move, name, drawn) => {
        const button = make("button", { type: "button", "aria-label": this.say(name) },
          this._drawing(drawn, "b"), make("span", {}, this.say(name)));
        button.addEventListener("click", () => this._answered(move, target));
        return button;
      };
      const cancel = make("button", { type: "button", class: "tb-cancel" }, this.say("web.cancel"));
      cancel.addEventListener("click", () => this._answered(null, target));
      this._question.setAttribute("aria-label", this.say("web.promote_question"));
      this._question.replaceChildren(
        answer(usi + "+", "web.promote", "+" + kind), answer(usi, "web.keep", kind), cancel);
      this._asked = [usi]; // the question may hide the squares
      this._renderOver();
      this._question.hidden = false;
      this._question.querySelector("button").focus();
    }

    _answered(usi, target) {
      this._closeQuestion();
      this._focusOn(target, true);
      if (usi) this._play(usi);
      else this._putBack();
    }

    _closeQuestion() {
      this._asked = [];
      if (this._question) this._question.hidden = true;
    }

    _keyedInQuestion(event) {
      const buttons = [...this._question.querySelectorAll("button")];
      const at = buttons.indexOf(document.activeElement);
      const step = { Tab: event.shiftKey ? -1 : 1, ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (event.key === "Escape") buttons[2].click();
      else if (step) buttons[(at + step + buttons.length) % buttons.length].focus();
      else return;
      event.preventDefault();
      event.stopPropagation();
    }

    // --- keys and dragging --------------------------------------------------------------------------

    _keyedMore(key) {
      const letter = key.toUpperCase();
      if (letter.length !== 1 || !this.position.hands.b[letter]) return false;
      this._choose(letter + "*");
      return true;
    }

    _liftable() {
      return this.checks.length > 0;
    }

    _droppedOn(from, under) {
      const cell = under && under.closest("[data-square]");
      if (!cell || cell.dataset.square === from) return;
      const piece = this.position.squares.get(cell.dataset.square);
      if (piece && piece.side === "b") return;
      this._focusOn(cell.dataset.square, true);
      this._go(from, cell.dataset.square);
    }
  }

  function centre(square) {
    return [FILES.indexOf(square[0]) * 40 + 20, RANKS.indexOf(square[1]) * 44 + 22];
  }

  customElements.define("tsume-board", TsumeBoard);
  TsumeBoardBase.make = make;
  window.TsumeBoardBase = TsumeBoardBase;
})();
