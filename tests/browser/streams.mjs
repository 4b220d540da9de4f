// SPDX-License-Identifier: GPL-3.0-or-later
// Reads requests {kind, fields} as JSON lines and writes the events of each on a line, by the solver whose
// folder is the argument.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const { Solver } = createRequire(import.meta.url)(`${process.argv[2]}/tsume.js`);
const solver = new Solver();

for await (const line of createInterface({ input: process.stdin })) {
  const { kind, fields } = JSON.parse(line);
  const events = [];
  for await (const event of solver.stream(kind, fields)) events.push(event);
  console.log(JSON.stringify(events));
}
solver.close();
