// SPDX-License-Identifier: GPL-3.0-or-later
// The position being composed, with its edit history, the squares to keep and the intended solution.
"use strict";

/**
 * @typedef {{position: Position, rest: boolean, kept: Set<string>, intended: string[], texts: RecordTexts}} CompositionState
 *   rest: the defender holds all remaining pieces; kept: squares whose pieces must stay; intended: the solution, or no moves;
 *   texts: of the record that was read
 */
/** @typedef {{title: string, author: string}} RecordTexts */
/** @typedef {{rest?: boolean, intended?: string[], texts?: RecordTexts}} Changes what changes besides the position */

class TsumeComposition {
  static NO_TEXTS = { title: "", author: "" };

  /** @param {ReadSfen} start */
  constructor({ position, rest, moves }) {
    /** @type {TsumeEditHistory<CompositionState>} */
    this.history = new TsumeEditHistory({ position, rest, kept: new Set(), intended: moves, texts: TsumeComposition.NO_TEXTS });
  }

  get state() {
    return this.history.current;
  }

  get sfen() {
    return TsumeSfen.formatSfen(this.state.position);
  }

  // What is to be judged.
  /** @returns {JudgementQuery} */
  get query() {
    const { intended } = this.state;
    return intended.length ? { sfen: this.sfen, line: intended.join(" ") } : { sfen: this.sfen };
  }

  /**
   * Enters another position. Squares whose pieces have changed need no longer be kept.
   * @param {Position} position
   * @param {Changes} [changes]
   */
  replace(position, { rest = this.state.rest, intended = this.state.intended, texts = this.state.texts } = {}) {
    const before = this.state;
    const kept = new Set([...before.kept].filter((square) => {
      const [old, piece] = [before.position.squares.get(square), position.squares.get(square)];
      return old && piece && old.kind === piece.kind && old.side === piece.side;
    }));
    this.history.push({ position, rest, kept, intended, texts });
  }

  // Keeps the piece on a square, or no longer; undo skips this. Returns whether it is kept now.
  /** @param {string} square */
  toggleKept(square) {
    const kept = new Set(this.state.kept);
    const isKept = !kept.delete(square);
    if (isKept) kept.add(square);
    this.history.current = { ...this.state, kept };
    return isKept;
  }
}
