// Positions as an editor arranges them: what is left of a set, changes of a whole position, SFEN in and out.
//
// Every function leaves the position that it is given as it is. Sides are "b" (the attacker) and "w".
"use strict";

(function () {
  const { Position, readMove, FILES, RANKS, HAND_ORDER } = window.TsumePosition;
  const SET = { R: 2, B: 2, G: 4, S: 4, N: 4, L: 4, P: 18, K: 2 };
  const PROMOTES = "RBSNLP";
  const ROW = /^(?:[1-9]|\+?[RBSNLP]|[GK])+$/i;
  const HELD = /^(?:-|(?:(?:[1-9]\d?)?[RBGSNLP])+)$/i;
  const MOVE = /^(?:[1-9][a-i][1-9][a-i]\+?|[RBGSNLP]\*[1-9][a-i])$/;
  const LONGEST = 12000; // characters of an SFEN with moves
  const PLACES = { // where each square goes when everything is moved, by file (0 at the left) and rank
    mirror: (file, rank) => [8 - file, rank],
    left: (file, rank) => [file - 1, rank],
    right: (file, rank) => [file + 1, rank],
    up: (file, rank) => [file, rank - 1],
    down: (file, rank) => [file, rank + 1],
    round: (file, rank) => [8 - file, 8 - rank],
  };

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

  function placed(square, how) {
    const [file, rank] = PLACES[how](FILES.indexOf(square[0]), RANKS.indexOf(square[1]));
    return file < 0 || file > 8 || rank < 0 || rank > 8 ? null : FILES[file] + RANKS[rank];
  }

  // All pieces moved, as one of PLACES says; null where one would fall off.
  function replaced(position, how) {
    const squares = new Map([...position.squares].map(([square, piece]) => [placed(square, how), piece]));
    return squares.has(null) ? null : new Position(squares, copy(position).hands);
  }

  // Moves likewise; none where one would leave the board.
  function replacedMoves(moves, how) {
    const made = moves.map((usi) => {
      const { drop, origin, target, promotes } = readMove(usi);
      const [from, to] = [drop ? drop + "*" : placed(origin, how), placed(target, how)];
      return from && to && from + to + (promotes ? "+" : "");
    });
    return made.includes(null) ? [] : made;
  }

  // Seen from the other side, sides exchanged.
  function turnedRound(position) {
    const made = replaced(position, "round");
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

  // An SFEN, also after "sfen" or "position sfen", as {position, rest, moves}: whether the defender holds all the
  // rest, and the moves after "moves". The attacker is at the bottom. null for what is no SFEN.
  function readSfen(text) {
    if (text.length > LONGEST) return null;
    const words = text.trim().replace(/^position\s+/, "").replace(/^sfen\s+/, "");
    const [start, line = ""] = words.split(/\s+moves(?:\s+|$)/);
    const [board, turn, hands, number = "1", ...more] = start.split(/\s+/);
    if (more.length || !/^[bw]$/.test(turn || "") || !HELD.test(hands || "") || !/^\d{1,4}$/.test(number)) return null;
    const rows = board.split("/");
    if (rows.length !== 9 || !rows.every((row) => ROW.test(row) && width(row) === 9)) return null;
    const read = Position.fromSfen(`${board} ${turn} ${hands}`);
    const position = turn === "w" ? turnedRound(read) : read;
    const numbers = left(position);
    const none = HAND_ORDER.split("").every((kind) => !position.hands.w[kind]);
    const rest = none || HAND_ORDER.split("").every((kind) => numbers[kind] <= 0);
    const moves = turn === "w" ? replacedMoves(readMoves(line), "round") : readMoves(line);
    return { position: rest && none ? completed(position) : position, rest, moves };
  }

  // Moves in USI, separated by spaces; none if one of them is no move.
  function readMoves(text) {
    const moves = text.split(/\s+/).filter(Boolean);
    return moves.every((usi) => MOVE.test(usi)) ? moves : [];
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
    base, otherSide, left, completed, put, held, promoted, next, replaced, replacedMoves, cleared, readSfen, sfenOf,
  };
})();
