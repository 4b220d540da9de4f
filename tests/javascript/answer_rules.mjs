// SPDX-License-Identifier: GPL-3.0-or-later
// What the scripts say of positions, for test_rules.py to compare. Each line of stdin is a JSON object with `sfen` and
// `moves`; the answer has `sfen` as the scripts write it, the phrases of its `faults`, and for each move `after` (SFEN) and
// `texts` (English, Japanese).
import { createInterface } from "node:readline";
import { RULES, load } from "./scripts.mjs";

const names = ["TsumePosition", "TsumeSfen", "TsumeLegality", "TsumeNotation"];
const english = load(RULES, names);
const japanese = load(RULES, names, { language: "ja" });

for await (const line of createInterface({ input: process.stdin })) {
  const { sfen, moves } = JSON.parse(line);
  const position = english.TsumePosition.Position.fromSfen(sfen);
  console.log(JSON.stringify({
    sfen: english.TsumeSfen.formatSfen(position),
    read: english.TsumeSfen.readSfen(sfen) !== null,
    faults: english.TsumeLegality.faults(position).map((fault) => fault.split(" ")[0]),
    moves: moves.map((usi) => ({
      after: english.TsumeSfen.formatSfen(position.after(usi, "b")),
      kind: position.mover(usi),
      choice: usi[1] === "*" ? false : position.hasChoice(usi.slice(0, 2), usi.slice(2, 4)),
      text: japanese.TsumeNotation.moveText(position, usi, "b", null),
    })),
  }));
}
