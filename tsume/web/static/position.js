// SPDX-License-Identifier: GPL-3.0-or-later
// A position: read from SFEN, changed by moves in USI. It knows where pieces are, not how they move.
"use strict";

/** @typedef {"b" | "w"} Side b is the attacker, w the defender */
/** @typedef {{kind: string, side: Side}} Piece kind is an SFEN letter in upper case, promoted "+S" */
/** @typedef {Record<string, number>} Hand numbers of pieces by letter */
/** @typedef {InstanceType<typeof TsumePosition.Position>} Position */
/** @typedef {"R" | "B" | "G" | "S" | "N" | "L" | "P"} HandKind */
/**
 * @typedef {{drop: HandKind, origin: null, target: string, promotes: false}
 *   | {drop: null, origin: string, target: string, promotes: boolean}} Move
 */

const TsumePosition = (function () {
  const FILES = "987654321";
  const RANKS = "abcdefghi";
  const HAND_ORDER = "RBGSNLP";
  /** @type {Record<string, number>} */
  const FIRST_RANK = { P: 1, L: 1, N: 2 }; // the attacker's, counted from 0, from which a piece can still move

  class Position {
    /**
     * @param {Map<string, Piece>} squares by name: "2b"
     * @param {Record<Side, Hand>} hands
     */
    constructor(squares, hands) {
      this.squares = squares;
      this.hands = hands;
    }

    /** @param {string} sfen */
    static fromSfen(sfen) {
      const [board, , held] = sfen.split(" ");
      const squares = new Map();
      board.split("/").forEach((row, rank) => {
        let file = 0;
        for (const [item] of row.matchAll(/\d|\+?[a-zA-Z]/g)) {
          if (/\d/.test(item)) {
            file += Number(item);
          } else {
            squares.set(FILES[file] + RANKS[rank], { kind: item.toUpperCase(), side: sideOf(item) });
            file += 1;
          }
        }
      });
      const hands = { b: emptyHand(), w: emptyHand() };
      for (const [, count, letter] of held.matchAll(/(\d*)([A-Za-z])/g)) {
        hands[sideOf(letter)][letter.toUpperCase()] += Number(count || 1);
      }
      return new Position(squares, hands);
    }

    /** A position that may be changed without changing this one. */
    copy() {
      return new Position(new Map(this.squares), { b: { ...this.hands.b }, w: { ...this.hands.w } });
    }

    // The piece on a square that is not empty.
    /** @param {string} square */
    pieceOn(square) {
      const piece = this.squares.get(square);
      if (!piece) throw new Error(`${square} is empty`);
      return piece;
    }

    /**
     * The position after a move.
     * @param {string} usi
     * @param {Side} side
     */
    after(usi, side) {
      const next = this.copy();
      const { drop, origin, target, promotes } = readMove(usi);
      const kind = this.mover(usi);
      if (drop) next.hands[side][drop] -= 1;
      else next.squares.delete(origin);
      const captured = next.squares.get(target);
      if (captured) next.hands[side][captured.kind.replace("+", "")] += 1;
      next.squares.set(target, { kind: promotes ? "+" + kind : kind, side });
      return next;
    }

    // The kind of piece that moves: "+R" of "5e5a", "G" of "G*5a".
    /** @param {string} usi */
    mover(usi) {
      const { drop, origin } = readMove(usi);
      return drop || this.pieceOn(origin).kind;
    }

    /**
     * Whether the attacker's piece may either promote or not promote on a move.
     * @param {string} origin
     * @param {string} target
     */
    hasChoice(origin, target) {
      const { kind } = this.pieceOn(origin);
      if (kind[0] === "+" || kind === "K" || kind === "G") return false;
      const [from, to] = [RANKS.indexOf(origin[1]), RANKS.indexOf(target[1])];
      if (from > 2 && to > 2) return false;
      return !isDead(target, { kind, side: "b" });
    }
  }

  /** @returns {Hand} */
  function emptyHand() {
    return Object.fromEntries([...HAND_ORDER].map((letter) => [letter, 0]));
  }

  /**
   * @param {string} letter of an SFEN
   * @returns {Side}
   */
  function sideOf(letter) {
    return letter === letter.toUpperCase() ? "b" : "w";
  }

  /**
   * Whether a piece on a square can never move again.
   * @param {string} square
   * @param {Piece} piece
   */
  function isDead(square, { kind, side }) {
    const rank = RANKS.indexOf(square[1]);
    return (side === "b" ? rank : 8 - rank) < (FIRST_RANK[kind] || 0);
  }

  /** @param {string} usi @returns {Move} */
  function readMove(usi) {
    const target = usi.slice(2, 4);
    if (usi[1] === "*") return { drop: /** @type {HandKind} */ (usi[0]), origin: null, target, promotes: false };
    return { drop: null, origin: usi.slice(0, 2), target, promotes: usi.endsWith("+") };
  }

  return { Position, readMove, emptyHand, isDead, FILES, RANKS, HAND_ORDER };
})();
