// SPDX-License-Identifier: GPL-3.0-or-later
// What changed between two positions that are shown one after the other: which pieces went where.
"use strict";

/**
 * A piece that went to a square, from another one or from its side's hand.
 * @typedef {{from: string | null, to: string, kind: string, side: Side}} PieceStep kind is that before the step
 */
/** @typedef {{steps: PieceStep[], isMove: boolean, isCapture: boolean}} PositionChange isMove: one move was played */

const TsumePositionChange = (function () {
  const { readMove } = TsumePosition;
  const MAX_TAKEN_BACK = 2; // pieces: a check and its answer
  /** @type {PositionChange} */
  const NONE = { steps: [], isMove: false, isCapture: false };

  /**
   * The change to a position to which the move `last` may have led. More than a move, or a check and its answer
   * taken back, has no steps.
   * @param {Position} before
   * @param {Position} after
   * @param {string | null | undefined} last
   * @returns {PositionChange}
   */
  function between(before, after, last) {
    if (last && isPlayed(before, after, last)) {
      const { origin, target } = readMove(last);
      const step = { from: origin, to: target, kind: before.mover(last), side: after.pieceOn(target).side };
      return { steps: [step], isMove: true, isCapture: before.squares.has(target) };
    }
    return { ...NONE, steps: takenBack(before, after) };
  }

  /** @param {Position} before @param {Position} after @param {string} usi */
  function isPlayed(before, after, usi) {
    const { origin, target } = readMove(usi);
    const side = after.squares.get(target)?.side;
    const couldMove = origin ? before.squares.get(origin)?.side === side : !before.squares.has(target);
    if (!side || !couldMove) return false;
    const played = before.after(usi, side);
    return !changed(played, after).length && !changed(after, played).length;
  }

  /**
   * The squares of `one` whose pieces are not on them in `other`.
   * @param {Position} one
   * @param {Position} other
   */
  function changed(one, other) {
    return [...one.squares.keys()].filter((square) => text(one, square) !== text(other, square));
  }

  /** @param {Position} position @param {string} square */
  function text(position, square) {
    const piece = position.squares.get(square);
    return piece ? piece.side + piece.kind : "";
  }

  /**
   * The pieces that are back on their squares; those that were captured just appear.
   * @param {Position} before
   * @param {Position} after
   * @returns {PieceStep[]}
   */
  function takenBack(before, after) {
    const left = changed(before, after);
    const steps = changed(after, before).flatMap((to) => {
      const { kind, side } = after.pieceOn(to);
      const from = left.find((square) => isSame(before.pieceOn(square), { kind, side }));
      return from ? [{ from, to, kind, side }] : [];
    });
    return steps.length <= MAX_TAKEN_BACK ? steps : [];
  }

  /**
   * Whether two pieces may be the same one, promoted or not.
   * @param {Piece} one
   * @param {Piece} other
   */
  function isSame(one, other) {
    return one.side === other.side && one.kind.replace("+", "") === other.kind.replace("+", "");
  }

  return { between };
})();
