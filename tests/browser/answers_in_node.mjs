// SPDX-License-Identifier: GPL-3.0-or-later
// Answers questions, JSON lines of the input, by the solver of a folder.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import path from "node:path";

const { Solver } = createRequire(import.meta.url)(path.join(process.argv[2], "tsume.js"));
const solver = new Solver();
const questions = [];
for await (const line of createInterface({ input: process.stdin })) questions.push(JSON.parse(line));
for (const { kind, ...fields } of questions) {
  const answer = await solver.ask(kind, fields).catch((error) => ({ refused: error.message }));
  console.log(JSON.stringify(answer));
}
solver.close();
