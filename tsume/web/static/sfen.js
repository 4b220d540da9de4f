// SPDX-License-Identifier: GPL-3.0-or-later
// SFEN as people give it, checked, and SFEN of a position. The attacker always moves up the board.
"use strict";

/**
 * @typedef {{position: Position, rest: boolean, moves: string[], noMove: string | null}} ReadSfen
 *   rest: the defender holds all other pieces; noMove: a word among the moves that is none, then there are no moves
 */

const TsumeSfen = (function () {
  const { Position, FILES, RANKS, HAND_ORDER } = TsumePosition;
  const { remaining, completed, rotated, shiftedMoves } = TsumeArrangement;
  const ROW = /^(?:[1-9]|\+?[RBSNLP]|[GK])+$/i;
  const HELD = /^(?:-|(?:(?:[1-9]\d?)?[RBGSNLP])+)$/i;
  const MOVE = /^(?:[1-9][a-i][1-9][a-i]\+?|[RBGSNLP]\*[1-9][a-i])$/;
  const MAX_LENGTH = 12000; // characters of an SFEN with moves

  /**
   * Reads an SFEN, with or without "sfen" or "position sfen" in front and "moves" behind. null for an invalid one.
   *
   * With White to move it is turned round. A defender without pieces in hand gets all remaining ones.
   * @param {string} text
   * @returns {ReadSfen | null}
   */
  function readSfen(text) {
    if (text.length > MAX_LENGTH) return null;
    const words = text.trim().replace(/^position\s+/, "").replace(/^sfen\s+/, "");
    const [start, line = ""] = words.split(/\s+moves(?:\s+|$)/);
    const [board, turn = "", hands = "", number = "1", ...more] = start.split(/\s+/);
    if (more.length || !/^[bw]$/.test(turn) || !HELD.test(hands) || !/^\d{1,4}$/.test(number)) return null;
    const rows = board.split("/");
    if (rows.length !== 9 || !rows.every((row) => ROW.test(row) && width(row) === 9)) return null;
    const read = Position.fromSfen(`${board} ${turn} ${hands}`);
    const position = turn === "w" ? rotated(read) : read;
    const usi = line.split(/\s+/).filter(Boolean);
    const noMove = usi.find((word) => !MOVE.test(word)) ?? null;
    const moves = noMove !== null ? [] : turn === "w" ? shiftedMoves(usi, "rotate") : usi;
    if ([...HAND_ORDER].every((kind) => !position.hands.w[kind])) {
      return { position: completed(position), rest: true, moves, noMove };
    }
    const numbers = remaining(position);
    return { position, rest: [...HAND_ORDER].every((kind) => numbers[kind] <= 0), moves, noMove };
  }

  /** @param {string} row */
  function width(row) {
    return [...row.replaceAll("+", "")].reduce((sum, item) => sum + (Number(item) || 1), 0);
  }

  /** @param {Position} position */
  function formatSfen(position) {
    const rows = [...RANKS].map((rank) => [...FILES].map((file) => {
      const piece = position.squares.get(file + rank);
      if (!piece) return "-";
      return piece.side === "b" ? piece.kind : piece.kind.toLowerCase();
    }).join("").replace(/-+/g, (gap) => String(gap.length)));
    const hands = formatHand(position.hands.b) + formatHand(position.hands.w).toLowerCase();
    return `${rows.join("/")} b ${hands || "-"} 1`;
  }

  /** @param {Hand} hand */
  function formatHand(hand) {
    return [...HAND_ORDER].map((kind) => {
      const count = hand[kind];
      return count ? (count > 1 ? count : "") + kind : "";
    }).join("");
  }

  return { readSfen, formatSfen };
})();
