// What is illegal in a placement and seen at a glance, in words, before the server is asked (which judges the rest).
"use strict";

(function () {
  const { RANKS } = window.TsumePosition;
  const { left } = window.TsumeArrangement;
  const FIRST_RANK = { P: 1, L: 1, N: 2 }; // of the attacker, counted from 0, from which a piece can move

  // Sentences; `editor` knows what squares and pieces are called.
  function faults(position, editor) {
    const say = (name, parts) => editor.say(name, parts);
    const pieces = [...position.squares];
    return [
      ...kings(pieces, say), ...pawns(pieces, editor, say),
      ...pieces.filter(isDead).map(([square, piece]) => say("compose.dead", {
        square: editor.squareName(square), piece: editor.pieceName(piece.kind),
      })),
      ...Object.entries(left(position)).filter(([, number]) => number < 0).map(([kind, number]) => say("compose.too_many", {
        piece: editor.pieceName(kind), count: -number,
      })),
    ];
  }

  function kings(pieces, say) {
    const number = (side) => pieces.filter(([, piece]) => piece.kind === "K" && piece.side === side).length;
    const found = number("w") ? [] : [say("compose.no_king", {})];
    for (const side of ["b", "w"]) {
      if (number(side) > 1) found.push(say("compose.kings", { side: say(`compose.side_${side}`, {}), count: number(side) }));
    }
    return found;
  }

  function pawns(pieces, editor, say) {
    const files = new Map();
    for (const [square, { kind, side }] of pieces) {
      if (kind === "P") files.set(side + square[0], [...(files.get(side + square[0]) || []), square]);
    }
    return [...files].filter(([, squares]) => squares.length > 1).map(([name, squares]) => say("compose.two_pawns", {
      side: say(`compose.side_${name[0]}`, {}), count: squares.length,
      squares: squares.map((one) => editor.squareName(one)).join(say("compose.and", {})),
    }));
  }

  function isDead([square, { kind, side }]) {
    const rank = RANKS.indexOf(square[1]);
    return (side === "b" ? rank : 8 - rank) < (FIRST_RANK[kind] || 0);
  }

  window.TsumeLegality = { faults };
})();
