// SPDX-License-Identifier: GPL-3.0-or-later
// The board as it is drawn: a position, the attacker's hand, a cursor, and marks of moves and choices.
//
// Names of what can be chosen: "2c" on the board, "G*" in the attacker's hand.
"use strict";

/**
 * @typedef {{last?: string | null, arrows?: string[], rings?: string[], side?: Side, wrong?: string}} ShowOptions
 *   side: of the pieces dropped by `arrows`; wrong: the square of a check that the arrows refute
 */

const TsumeBoardView = (function () {
  const { Position, readMove, FILES, RANKS, HAND_ORDER } = TsumePosition;
  const { make } = TsumeDom;
  const { say } = TsumePhrases;
  const { squareName, pieceName, FILE_LABELS, RANK_LABELS } = TsumeNotation;
  const [ALL_BUT_KINGS, MAX_DRAWN] = [38, 7];

  return class extends HTMLElement {
    position = Position.fromSfen("9/9/9/9/9/9/9/9/9 b - 1");
    /** @type {ShowOptions} */
    _marks = {};
    /** @type {string | null} */
    _chosen = null;
    _cursor = "5e";
    _grid = make("div", { role: "grid", class: "tb-grid", "aria-label": say("web.board") });
    /** @type {Map<string, HTMLElement>} */
    _cells = new Map();
    /** @type {Map<string, string>} */
    _drawn = new Map(); // by square the piece that is drawn there
    _overlay = TsumeBoardDrawing.layer();
    _hands = {
      w: make("div", { role: "group", class: "tb-hand tb-defender" }),
      b: make("div", { role: "group", class: "tb-hand tb-attacker" }),
    };
    _movement = new TsumeMovement(this._cells, this._hands);
    /** @type {string | null} */
    _droppedOn = null; // the square on which a dragged piece is released: the piece is there already

    connectedCallback() {
      this._disconnected = new AbortController();
      TsumeSettings.listen(() => this._render(), this._disconnected.signal);
      if (this.childElementCount) return;
      this._build();
      this._render();
    }

    disconnectedCallback() {
      this._disconnected?.abort();
    }

    /**
     * Shows a position: `last` is the move that led to it, `arrows` are moves to point out, `rings` squares or pieces
     * in hand. Where `last` is given, even if null, pieces slide to their squares.
     * @param {Position} position
     * @param {ShowOptions} [marks]
     */
    show(position, marks = {}) {
      const change = "last" in marks ? TsumePositionChange.between(this.position, position, marks.last) : null;
      const isDragged = change?.steps[0]?.to === this._droppedOn;
      const move = change && !isDragged ? this._movement.prepare(change) : () => {};
      this.position = position;
      this._marks = marks;
      this._chosen = null;
      this._render();
      move();
      if (change?.isMove) TsumeSettings.play(change.isCapture ? "capture" : "move");
    }

    /** @param {string | null} name */
    _setChosen(name) {
      this._chosen = name;
    }

    _build() {
      for (const rank of RANKS) {
        const cells = [...FILES].map((file) => this._newCell(file + rank));
        this._grid.append(make("div", { role: "row", class: "tb-row" }, ...cells));
      }
      /** @param {string[]} texts */
      const labels = (texts) => texts.map((text) => make("span", {}, text));
      const files = make("div", { class: "tb-files", "aria-hidden": "true" }, ...labels(FILE_LABELS));
      const ranks = make("div", { class: "tb-ranks", "aria-hidden": "true" }, ...labels(RANK_LABELS));
      const table = make("div", { class: "tb-table" }, files, this._grid, ranks, this._overlay);
      this.append(this._hands.w, table, this._hands.b);
    }

    /** @param {string} square */
    _newCell(square) {
      const cell = make("div", { role: "gridcell", class: "tb-cell", "data-square": square, tabindex: "-1" });
      this._cells.set(square, cell);
      return cell;
    }

    _render() {
      const last = this._marks.last ? readMove(this._marks.last) : null;
      const to = this._destinations();
      for (const [square, cell] of this._cells) {
        const piece = this.position.squares.get(square);
        this._drawPiece(square, cell, piece);
        cell.classList.toggle("tb-own", piece !== undefined && this._isMovable(piece));
        cell.classList.toggle("tb-last", square === last?.target);
        cell.classList.toggle("tb-left", square === last?.origin);
        cell.classList.toggle("tb-wrong", square === this._marks.wrong);
        cell.classList.toggle("tb-chosen", square === this._chosen);
        cell.classList.toggle("tb-to", to.has(square));
        cell.tabIndex = square === this._cursor ? 0 : -1;
        cell.setAttribute("aria-selected", String(square === this._chosen));
        cell.setAttribute("aria-label", this._label(square, piece));
      }
      this._renderHand("b");
      this._renderHand("w");
      this._renderOverlay();
    }

    /** @param {string} square @param {HTMLElement} cell @param {Piece | undefined} piece */
    _drawPiece(square, cell, piece) {
      const drawn = piece ? piece.side + piece.kind + TsumeSettings.pieces() : "";
      if ((this._drawn.get(square) || "") === drawn) return;
      this._drawn.set(square, drawn);
      cell.replaceChildren(...(piece ? [TsumeBoardDrawing.piece(piece.kind, piece.side)] : []));
    }

    /** @param {Piece} piece */
    _isMovable(piece) {
      return piece.side === "b";
    }

    /** @param {Piece} piece */
    _sideName({ kind, side }) {
      return say(side === "b" ? "web.own" : "web.other", { piece: pieceName(kind) });
    }

    /** @param {string} square @param {Piece | undefined} piece */
    _label(square, piece) {
      const content = piece ? this._sideName(piece) : say("web.empty");
      const chosen = square === this._chosen ? " " + say("web.chosen") : "";
      return `${squareName(square)} ${content}${chosen}`;
    }

    /** @param {Side} side */
    _renderHand(side) {
      const hand = this._hands[side];
      hand.setAttribute("aria-label", say(side === "b" ? "web.attacker_hand" : "web.defender_hand"));
      const kinds = [...HAND_ORDER].filter((kind) => this.position.hands.b[kind]);
      if (side === "w") {
        hand.replaceChildren(...this._defenderHolds());
        return;
      }
      const head = make("span", { class: "tb-head", "aria-hidden": "true" }, say("web.in_hand"));
      const pieces = kinds.map((kind) => this._pieceButton(kind, this.position.hands.b[kind]));
      hand.replaceChildren(head, ...(pieces.length ? pieces : [make("span", { class: "tb-rest" }, say("web.nothing"))]));
    }

    // The pieces that the defender holds if they are few, as in a game, or else that it holds the rest.
    _defenderHolds() {
      const { squares, hands } = this.position;
      const [held, own] = [hands.w, hands.b].map((hand) => [...HAND_ORDER].flatMap((kind) => Array(hand[kind]).fill(kind)));
      const onBoard = [...squares.values()].filter(({ kind }) => kind !== "K").length;
      if (held.length > MAX_DRAWN || onBoard + own.length + held.length < ALL_BUT_KINGS) {
        return [make("span", { class: "tb-rest", title: say("web.defender_rest_tip") }, say("web.defender_others"))];
      }
      if (!held.length) return [make("span", { class: "tb-rest" }, say("web.defender_none"))];
      return [make("span", { class: "tb-head", "aria-hidden": "true" }, say("web.defender_hand")),
        ...held.map((kind) => make("span", { class: "tb-held", role: "img", "aria-label": pieceName(kind) }, TsumeBoardDrawing.piece(kind, "w")))];
    }

    /**
     * A button that chooses a piece beside the board; `name` is the name of the choice.
     * @param {string} kind
     * @param {number} count
     * @param {{name?: string, side?: Side, phrase?: string}} [options]
     */
    _pieceButton(kind, count, { name = kind + "*", side = "b", phrase = "web.hand_piece" } = {}) {
      const button = make("button", {
        type: "button", class: "tb-held", "data-hand": kind, "data-name": name,
        "aria-pressed": String(this._chosen === name),
        "aria-label": say(phrase, { piece: pieceName(kind), count }),
      }, TsumeBoardDrawing.piece(kind, side));
      if (count > 1) button.append(make("span", { class: "tb-count", "aria-hidden": "true" }, String(count)));
      button.classList.toggle("tb-chosen", this._chosen === name);
      button.classList.toggle("tb-ring", (this._marks.rings || []).includes(name));
      return button;
    }

    // The squares to which the chosen piece can go.
    /** @returns {Set<string>} */
    _destinations() {
      return new Set();
    }

    _renderOverlay() {
      const { rings = [], last, side = "b" } = this._marks;
      const moves = this._shownArrows().map((usi) => ({ usi, side, isPlayed: usi === last }));
      const squares = rings.filter((name) => !name.endsWith("*"));
      this._overlay.classList.toggle("tb-refuting", this._marks.wrong !== undefined);
      this._overlay.replaceChildren(...TsumeBoardDrawing.overlay(squares, moves));
    }

    _shownArrows() {
      return this._marks.arrows || [];
    }
  };
})();
