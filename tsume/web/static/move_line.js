// SPDX-License-Identifier: GPL-3.0-or-later
// A line of moves with the position after each of them, and which one is shown.
"use strict";

class TsumeMoveLine {
  /**
   * Moves after the first one that cannot be played are left out.
   * @param {Position} position
   * @param {string[]} moves
   */
  constructor(position, moves) {
    /** @type {string[]} */
    this.moves = [];
    this._positions = [position];
    this.index = 0; // moves played in the position that is shown
    for (const usi of moves) {
      const number = this.moves.length;
      if (!TsumeMoveLine.canPlay(this._positions[number], usi, TsumeMoveLine.side(number))) break;
      this.moves.push(usi);
      this._positions.push(this._positions[number].after(usi, TsumeMoveLine.side(number)));
    }
  }

  /**
   * The side of a move by its index.
   * @param {number} index
   * @returns {Side}
   */
  static side(index) {
    return index % 2 ? "w" : "b";
  }

  /**
   * Whether there is a piece to move. Where it may move is not known here.
   * @param {Position} position
   * @param {string} usi
   * @param {Side} side
   */
  static canPlay(position, usi, side) {
    const { drop, origin } = TsumePosition.readMove(usi);
    return drop ? position.hands[side][drop] > 0 : position.squares.get(origin)?.side === side;
  }

  get position() {
    return this._positions[this.index];
  }

  // The move that led to the position that is shown.
  get last() {
    return this.index ? this.moves[this.index - 1] : null;
  }

  get isAtEnd() {
    return this.index === this.moves.length;
  }

  /** @param {number} index beyond the line it is the nearest end */
  go(index) {
    this.index = Math.min(Math.max(index, 0), this.moves.length);
  }

  /** @param {number} index */
  text(index) {
    const before = index ? this.moves[index - 1].slice(2, 4) : null;
    return TsumeNotation.moveText(this._positions[index], this.moves[index], TsumeMoveLine.side(index), before);
  }
}
