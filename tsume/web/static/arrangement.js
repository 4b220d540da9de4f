// Positions as an editor arranges them: what is left of a set, changes of a whole position, SFEN in and out.
//
// Every function leaves the position that it is given as it is. Sides are "b" (the attacker) and "w".
"use strict";

(function () {
  const { Position, FILES, RANKS, HAND_ORDER } = window.TsumePosition;
  const SET = { R: 2, B: 2, G: 4, S: 4, N: 4, L: 4, P: 18, K: 2 };
  const PROMOTES = "RBSNLP";
  const ROW = /^(?:[1-9]|\+?[RBSNLP]|[GK])+$/i;
  const HELD = /^(?:-|(?:(?:[1-9]\d?)?[RBGSNLP])+)$/i;
  const LONGEST = 300; // characters of an SFEN

  function base(kind) {
    return kind.replace("+", "");
  }

  function otherSide(side) {
    return side === "b" ? "w" : "b";
  }

  function copy(position) {
    return new Position(new Map(position.squares), { b: { ...position.hands.b }, w: { ...position.hands.w } });
  }

  // Numbers by letter of the pieces that stand nowhere, negative where there are too many.
  function left(position) {
    const numbers = { ...SET };
    for (const { kind } of position.squares.values()) numbers[base(kind)] -= 1;
    for (const kind of HAND_ORDER) numbers[kind] -= position.hands.b[kind] + position.hands.w[kind];
    return numbers;
  }

  // The defender holds all that stands nowhere else.
  function completed(position) {
    const made = copy(position);
    for (const kind of HAND_ORDER) made.hands.w[kind] = 0;
    const numbers = left(made);
    for (const kind of HAND_ORDER) made.hands.w[kind] = Math.max(numbers[kind], 0);
    return made;
  }

  // A piece, or nothing (null), on a square.
  function put(position, square, piece) {
    const made = copy(position);
    if (piece) made.squares.set(square, piece);
    else made.squares.delete(square);
    return made;
  }

  function held(position, side, kind, change) {
    const made = copy(position);
    made.hands[side][kind] += change;
    return made;
  }

  function promoted({ kind, side }) {
    if (kind[0] === "+") return { kind: kind[1], side };
    return PROMOTES.includes(kind) ? { kind: "+" + kind, side } : null;
  }

  // The state of a piece after this one, round and round: plain, promoted, the other side's.
  function next(piece) {
    const turned = piece.kind[0] !== "+" && promoted(piece);
    return turned || { kind: base(piece.kind), side: otherSide(piece.side) };
  }

  // Each square by `place`, which gives its file (0 at the left) and rank; null where a piece would fall off.
  function replaced(position, place) {
    const squares = new Map();
    for (const [square, piece] of position.squares) {
      const [file, rank] = place(FILES.indexOf(square[0]), RANKS.indexOf(square[1]));
      if (file < 0 || file > 8 || rank < 0 || rank > 8) return null;
      squares.set(FILES[file] + RANKS[rank], piece);
    }
    return new Position(squares, copy(position).hands);
  }

  function mirrored(position) {
    return replaced(position, (file, rank) => [8 - file, rank]);
  }

  function shifted(position, x, y) {
    return replaced(position, (file, rank) => [file + x, rank + y]);
  }

  // Seen from the other side, sides exchanged.
  function turnedRound(position) {
    const made = replaced(position, (file, rank) => [8 - file, 8 - rank]);
    for (const [square, { kind, side }] of made.squares) made.squares.set(square, { kind, side: otherSide(side) });
    [made.hands.b, made.hands.w] = [made.hands.w, made.hands.b];
    return made;
  }

  // Only the defender's king stays.
  function cleared(position) {
    const kings = [...position.squares].filter(([, { kind, side }]) => kind === "K" && side === "w");
    return completed(new Position(new Map(kings), { b: noHand(), w: noHand() }));
  }

  function noHand() {
    return Object.fromEntries([...HAND_ORDER].map((kind) => [kind, 0]));
  }

  // An SFEN, also after "sfen" or "position sfen" and before "moves", as {position, rest}: whether the defender
  // holds all the rest. The attacker is at the bottom. null for what is no SFEN.
  function readSfen(text) {
    if (text.length > 40 * LONGEST) return null;
    const words = text.trim().replace(/^position\s+/, "").replace(/^sfen\s+/, "").split(/\s+moves(?:\s|$)/)[0];
    const [board, turn, hands, number = "1", ...more] = words.split(/\s+/);
    if (more.length || !/^[bw]$/.test(turn || "") || !HELD.test(hands || "") || !/^\d{1,4}$/.test(number)) return null;
    const rows = board.split("/");
    if (rows.length !== 9 || !rows.every((row) => ROW.test(row) && width(row) === 9)) return null;
    const read = Position.fromSfen(`${board} ${turn} ${hands}`);
    const position = turn === "w" ? turnedRound(read) : read;
    const numbers = left(position);
    const none = HAND_ORDER.split("").every((kind) => !position.hands.w[kind]);
    const rest = none || HAND_ORDER.split("").every((kind) => numbers[kind] <= 0);
    return { position: rest && none ? completed(position) : position, rest };
  }

  function width(row) {
    return [...row.replaceAll("+", "")].reduce((sum, one) => sum + (Number(one) || 1), 0);
  }

  function sfenOf(position) {
    const rows = [...RANKS].map((rank) => [...FILES].map((file) => {
      const piece = position.squares.get(file + rank);
      if (!piece) return "-";
      return piece.side === "b" ? piece.kind : piece.kind.toLowerCase();
    }).join("").replace(/-+/g, (gap) => gap.length));
    const hand = (side) => [...HAND_ORDER].map((kind) => {
      const count = position.hands[side][kind];
      return count ? (count > 1 ? count : "") + kind : "";
    }).join("");
    return `${rows.join("/")} b ${hand("b") + hand("w").toLowerCase() || "-"} 1`;
  }

  window.TsumeArrangement = {
    base, otherSide, left, completed, put, held, promoted, next, mirrored, shifted, cleared, readSfen, sfenOf,
  };
})();
