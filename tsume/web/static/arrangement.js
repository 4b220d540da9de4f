// SPDX-License-Identifier: GPL-3.0-or-later
// Changes of a whole position and of single pieces, as an editor makes them. No function changes its arguments.
//
// A place is the name of a square ("2c"), of a piece in a hand ("bG*", "wG*") or of a piece in the box ("xG*").
"use strict";

/** @typedef {"mirror" | "left" | "right" | "up" | "down" | "rotate"} Shift */

const TsumeArrangement = (function () {
  const { Position, readMove, emptyHand, FILES, RANKS, HAND_ORDER } = TsumePosition;
  /** @type {Record<string, number>} */
  const SET = { R: 2, B: 2, G: 4, S: 4, N: 4, L: 4, P: 18, K: 2 };
  const PROMOTABLE = "RBSNLP";
  /** @type {Record<Shift, (file: number, rank: number) => [number, number]>} */
  const SHIFTS = { // where a square goes, by file (0 at the left) and rank
    mirror: (file, rank) => [8 - file, rank],
    left: (file, rank) => [file - 1, rank],
    right: (file, rank) => [file + 1, rank],
    up: (file, rank) => [file, rank - 1],
    down: (file, rank) => [file, rank + 1],
    rotate: (file, rank) => [8 - file, 8 - rank],
  };

  /** @param {string} kind */
  function unpromoted(kind) {
    return kind.replace("+", "");
  }

  /** @param {Side} side @returns {Side} */
  function otherSide(side) {
    return side === "b" ? "w" : "b";
  }

  // Numbers by letter of the pieces that are neither on the board nor in a hand, negative where there are too many.
  /** @param {Position} position */
  function remaining(position) {
    const numbers = { ...SET };
    for (const { kind } of position.squares.values()) numbers[unpromoted(kind)] -= 1;
    for (const kind of HAND_ORDER) numbers[kind] -= position.hands.b[kind] + position.hands.w[kind];
    return numbers;
  }

  // The position in which the defender holds all remaining pieces.
  /** @param {Position} position */
  function completed(position) {
    const made = position.copy();
    made.hands.w = emptyHand();
    const numbers = remaining(made);
    for (const kind of HAND_ORDER) made.hands.w[kind] = Math.max(numbers[kind], 0);
    return made;
  }

  /**
   * The position with a piece, or nothing (null), on a square.
   * @param {Position} position
   * @param {string} square
   * @param {Piece | null} piece
   */
  function withPiece(position, square, piece) {
    const made = position.copy();
    if (piece) made.squares.set(square, piece);
    else made.squares.delete(square);
    return made;
  }

  /**
   * The position with another number of pieces of a kind in a hand.
   * @param {Position} position
   * @param {Side} side
   * @param {string} kind
   * @param {number} change
   */
  function withHand(position, side, kind, change) {
    const made = position.copy();
    made.hands[side][kind] += change;
    return made;
  }

  /**
   * The position without the piece at a place.
   * @param {Position} position
   * @param {string} place
   */
  function without(position, place) {
    if (place[0] === "x") return position;
    if (!place.endsWith("*")) return withPiece(position, place, null);
    return withHand(position, /** @type {Side} */ (place[0]), place[1], -1);
  }

  /**
   * The piece with the other face up, or null if it never promotes.
   * @param {Piece} piece
   * @returns {Piece | null}
   */
  function turnedOver({ kind, side }) {
    if (kind[0] === "+") return { kind: kind[1], side };
    return PROMOTABLE.includes(kind) ? { kind: "+" + kind, side } : null;
  }

  /**
   * The next state of a piece in a cycle: unpromoted, promoted, then the other side's.
   * @param {Piece} piece
   * @returns {Piece}
   */
  function cycled(piece) {
    const promoted = piece.kind[0] !== "+" && turnedOver(piece);
    return promoted || { kind: unpromoted(piece.kind), side: otherSide(piece.side) };
  }

  /** @param {string} square @param {Shift} shift */
  function shiftedSquare(square, shift) {
    const [file, rank] = SHIFTS[shift](FILES.indexOf(square[0]), RANKS.indexOf(square[1]));
    return file < 0 || file > 8 || rank < 0 || rank > 8 ? null : FILES[file] + RANKS[rank];
  }

  /**
   * The position with all pieces shifted, or null if one would leave the board.
   * @param {Position} position
   * @param {Shift} shift
   */
  function shifted(position, shift) {
    const squares = new Map();
    for (const [square, piece] of position.squares) squares.set(shiftedSquare(square, shift), piece);
    return squares.has(null) ? null : new Position(squares, position.copy().hands);
  }

  /**
   * Moves in USI, shifted; none if one would leave the board.
   * @param {string[]} moves
   * @param {Shift} shift
   */
  function shiftedMoves(moves, shift) {
    const made = [];
    for (const usi of moves) {
      const { drop, origin, target, promotes } = readMove(usi);
      const [from, to] = [drop ? drop + "*" : shiftedSquare(origin, shift), shiftedSquare(target, shift)];
      if (!from || !to) return [];
      made.push(from + to + (promotes ? "+" : ""));
    }
    return made;
  }

  // The position seen from the other side, with sides exchanged.
  /** @param {Position} position */
  function rotated(position) {
    const squares = new Map();
    for (const [square, { kind, side }] of position.squares) {
      squares.set(shiftedSquare(square, "rotate"), { kind, side: otherSide(side) });
    }
    const { b, w } = position.copy().hands;
    return new Position(squares, { b: w, w: b });
  }

  // The position with the defender's king alone; the defender holds the rest.
  /** @param {Position} position */
  function cleared(position) {
    const kings = [...position.squares].filter(([, { kind, side }]) => kind === "K" && side === "w");
    return completed(new Position(new Map(kings), { b: emptyHand(), w: emptyHand() }));
  }

  return {
    unpromoted, otherSide, remaining, completed, withPiece, withHand, without, turnedOver, cycled,
    shifted, shiftedMoves, rotated, cleared,
  };
})();
