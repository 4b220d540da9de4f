// SPDX-License-Identifier: GPL-3.0-or-later
// Faults of a position that the page finds by itself, as sentences. The solver judges the rest.
"use strict";

const TsumeLegality = (function () {
  const { isDead } = TsumePosition;
  const { remaining } = TsumeArrangement;
  const { say } = TsumePhrases;
  const { squareName, pieceName } = TsumeNotation;

  /** @param {Position} position @returns {string[]} */
  function faults(position) {
    const pieces = [...position.squares];
    const dead = pieces.filter(([square, piece]) => isDead(square, piece));
    const excess = Object.entries(remaining(position)).filter(([, number]) => number < 0);
    return [
      ...kingFaults(pieces),
      ...pawnFaults(pieces),
      ...dead.map(([square, { kind }]) => say("compose.dead", { square: squareName(square), piece: pieceName(kind) })),
      ...excess.map(([kind, number]) => say("compose.too_many", { piece: pieceName(kind), count: -number })),
    ];
  }

  /** @param {[string, Piece][]} pieces */
  function kingFaults(pieces) {
    /** @param {Side} side */
    const kings = (side) => pieces.filter(([, piece]) => piece.kind === "K" && piece.side === side).length;
    const found = kings("w") ? [] : [say("compose.no_king")];
    for (const side of /** @type {Side[]} */ (["b", "w"])) {
      if (kings(side) > 1) found.push(say("compose.kings", { side: say(`compose.side_${side}`), count: kings(side) }));
    }
    return found;
  }

  /** @param {[string, Piece][]} pieces */
  function pawnFaults(pieces) {
    /** @type {Map<string, string[]>} */
    const files = new Map(); // squares of pawns by side and file
    for (const [square, { kind, side }] of pieces) {
      if (kind === "P") files.set(side + square[0], [...(files.get(side + square[0]) || []), square]);
    }
    return [...files].filter(([, squares]) => squares.length > 1).map(([name, squares]) => say("compose.two_pawns", {
      side: say(`compose.side_${name[0]}`), count: squares.length,
      squares: squares.map(squareName).join(say("web.and")),
    }));
  }

  // Whether nothing is composed yet: there is no piece but a king of the defender.
  /** @param {Position} position */
  function isBare(position) {
    const pieces = [...position.squares.values()];
    const isEmptyHanded = Object.values(position.hands.b).every((count) => count === 0);
    return isEmptyHanded && pieces.length < 2 && pieces.every(({ kind, side }) => kind === "K" && side === "w");
  }

  return { faults, isBare };
})();
