// SPDX-License-Identifier: GPL-3.0-or-later
// Answers queries by the solver of a folder and times them one by one, several times.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const { folder, queries, repeat, memory } = JSON.parse(readFileSync(0, "utf8"));
const { Solver } = createRequire(import.meta.url)(path.join(folder, "tsume.js"));
const solver = new Solver({ memory });
await solver.ready;

const rounds = [];
for (let number = 0; number < repeat; number += 1) {
  const round = [];
  for (const { kind, ...fields } of queries) {
    const began = performance.now();
    const answer = await solver.ask(kind, fields);
    round.push([answer, (performance.now() - began) / 1000]);
  }
  rounds.push(round);
}
console.log(JSON.stringify(rounds));
solver.close();
