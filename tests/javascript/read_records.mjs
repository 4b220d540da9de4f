// SPDX-License-Identifier: GPL-3.0-or-later
// Reads files with the readers of other projects. Each line of stdin is a JSON object with `reader`
// (tsshogi, json-kifu-format), `format` (kif, ki2, csa, jkf) and `text`; the answer is a line with
// `sfen` and `moves`, or `error`. `moves` are those that may be played first, the main line's before
// the others, each as [USI, moves that may follow].
import { createInterface } from "node:readline";
import { createRequire } from "node:module";
import * as tsshogi from "tsshogi";

const { JKFPlayer } = createRequire(import.meta.url)("json-kifu-format");

const LETTERS = {
  FU: "P", KY: "L", KE: "N", GI: "S", KI: "G", KA: "B", HI: "R", OU: "K",
  TO: "+P", NY: "+L", NK: "+N", NG: "+S", UM: "+B", RY: "+R",
};

function bySide(letter, color) {
  return color === 0 ? letter : letter.toLowerCase();
}

const READERS = {
  tsshogi: {
    kif: tsshogi.importKIF, ki2: tsshogi.importKI2, csa: tsshogi.importCSA, jkf: tsshogi.importJKFString,
    read(record) {
      if (record instanceof Error) throw record;
      return { sfen: record.initialPosition.sfen, moves: following(record.first) };
    },
  },
  "json-kifu-format": {
    kif: JKFPlayer.parseKIF, ki2: JKFPlayer.parseKI2, csa: JKFPlayer.parseCSA, jkf: JKFPlayer.parseJKF,
    read(player) {
      const { initial, moves } = player.kifu;
      return { sfen: sfen(initial.data), moves: line(moves.slice(1)) };
    },
  },
};

// --- tsshogi ---

function following(node) {
  const found = [];
  for (let child = node.next; child; child = child.branch) {
    if (child.move instanceof tsshogi.Move) found.push([child.move.usi, following(child)]);
  }
  return found;
}

// --- json-kifu-format ---

function line(items) {
  const [item, ...rest] = items;
  if (!item) return [];
  const others = (item.forks ?? []).flatMap((fork) => line(fork));
  return item.move ? [[usi(item.move), line(rest)], ...others] : others;
}

function usi(move) {
  const to = square(move.to);
  return move.from ? square(move.from) + to + (move.promote ? "+" : "") : `${LETTERS[move.piece]}*${to}`;
}

function square({ x, y }) {
  return `${x}${"abcdefghi"[y - 1]}`;
}

function sfen(data) {
  const ranks = [];
  for (let y = 0; y < 9; y++) {
    let rank = "";
    for (let x = 8; x >= 0; x--) {
      const { kind, color } = data.board[x][y];
      rank += kind ? bySide(LETTERS[kind], color) : "1";
    }
    ranks.push(rank);
  }
  const hands = data.hands.flatMap((hand, color) =>
    Object.entries(hand).filter(([, count]) => count).map(([kind, count]) => `${count}${bySide(LETTERS[kind], color)}`),
  );
  return `${ranks.join("/")} ${data.color === 0 ? "b" : "w"} ${hands.join("") || "-"} 1`;
}

for await (const asked of createInterface({ input: process.stdin })) {
  const { reader, format, text } = JSON.parse(asked);
  let answer;
  try {
    answer = READERS[reader].read(READERS[reader][format](text));
  } catch (error) {
    answer = { error: String(error.message ?? error) };
  }
  console.log(JSON.stringify(answer));
}
