// A position: read from SFEN, changed by moves in USI. It knows where pieces are, not how they move.
"use strict";

(function () {
  const FILES = "987654321";
  const RANKS = "abcdefghi";
  const KANJI_RANKS = "一二三四五六七八九";
  const WIDE = "０１２３４５６７８９";
  const HAND_ORDER = "RBGSNLP";

  function emptyHand() {
    return Object.fromEntries([...HAND_ORDER].map((letter) => [letter, 0]));
  }

  class Position {
    constructor(squares, hands) {
      this.squares = squares; // from "2b" to {kind: "+S", side: "b" or "w"}
      this.hands = hands; // from a side to numbers by letter
    }

    static fromSfen(sfen) {
      const [board, , held] = sfen.split(" ");
      const squares = new Map();
      board.split("/").forEach((row, rank) => {
        let file = 0;
        for (const [item] of row.matchAll(/\d|\+?[a-zA-Z]/g)) {
          if (/\d/.test(item)) {
            file += Number(item);
          } else {
            const side = item === item.toUpperCase() ? "b" : "w";
            squares.set(FILES[file] + RANKS[rank], { kind: item.toUpperCase(), side });
            file += 1;
          }
        }
      });
      const hands = { b: emptyHand(), w: emptyHand() };
      for (const [, count, letter] of held.matchAll(/(\d*)([A-Za-z])/g)) {
        const side = letter === letter.toUpperCase() ? "b" : "w";
        hands[side][letter.toUpperCase()] += Number(count || 1);
      }
      return new Position(squares, hands);
    }

    // The position after a move of a side; `this` stays as it is.
    after(usi, side) {
      const squares = new Map(this.squares);
      const hands = { b: { ...this.hands.b }, w: { ...this.hands.w } };
      const move = readMove(usi);
      let kind = move.drop;
      if (kind) {
        hands[side][kind] -= 1;
      } else {
        kind = squares.get(move.origin).kind;
        squares.delete(move.origin);
      }
      const taken = squares.get(move.target);
      if (taken) hands[side][taken.kind.replace("+", "")] += 1;
      squares.set(move.target, { kind: move.promotes ? "+" + kind : kind, side });
      return new Position(squares, hands);
    }

    // What moves: "+R" of "5e5a", "G" of "G*5a".
    mover(usi) {
      const move = readMove(usi);
      return move.drop || this.squares.get(move.origin).kind;
    }

    // Whether the attacker's piece may both promote and not promote by going there.
    hasChoice(origin, target) {
      const { kind } = this.squares.get(origin);
      if (kind[0] === "+" || kind === "K" || kind === "G") return false;
      const [from, to] = [RANKS.indexOf(origin[1]), RANKS.indexOf(target[1])];
      if (from > 2 && to > 2) return false;
      return to >= ({ P: 1, L: 1, N: 2 }[kind] || 0);
    }
  }

  function readMove(usi) {
    const target = usi.slice(2, 4);
    if (usi[1] === "*") return { drop: usi[0], target, promotes: false };
    return { origin: usi.slice(0, 2), target, promotes: usi.endsWith("+") };
  }

  window.TsumePosition = { Position, readMove, FILES, RANKS, KANJI_RANKS, WIDE, HAND_ORDER };
})();
