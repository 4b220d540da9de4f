// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the error of each request, a JSON line [kind, fields, whether by a stream], by the solver of a folder.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import path from "node:path";

const { Solver } = createRequire(import.meta.url)(path.join(process.argv[2], "tsume.js"));
const solver = new Solver();
for await (const line of createInterface({ input: process.stdin })) {
  const [kind, fields, isStream] = JSON.parse(line);
  const work = isStream ? solver.stream(kind, fields).next() : solver.ask(kind, fields);
  console.log(JSON.stringify(await work.then(() => ({}), ({ code, message }) => ({ code, message }))));
}
solver.close();
