// SPDX-License-Identifier: GPL-3.0-or-later
// Plays USI with tsshogi, the library of ShogiHome. Each line of stdin is a JSON object with `position`, what
// follows "position " in USI; the answer is a line with `moves`, the number of legal moves, and `checks`, of
// each whether it gives check; or `error`.
import { createInterface } from "node:readline";
import * as tsshogi from "tsshogi";

function played(usi) {
  const record = tsshogi.Record.newByUSI(`position ${usi}`);
  if (record instanceof Error) throw record;
  const position = record.initialPosition.clone();
  const checks = record.moves.filter((node) => node.move instanceof tsshogi.Move).map(({ move }) => {
    if (!position.doMove(move)) throw new Error(`illegal move: ${move.usi}`);
    return position.checked;
  });
  return { moves: checks.length, checks };
}

for await (const line of createInterface({ input: process.stdin })) {
  const { position } = JSON.parse(line);
  let answer;
  try {
    answer = played(position);
  } catch (error) {
    answer = { error: `${error}` };
  }
  console.log(JSON.stringify(answer));
}
