// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluates operations on arrays: each line of input is an expression, of output its value.
import { readFileSync } from "node:fs";
import { load } from "./scripts.mjs";

const [setup, ...expressions] = readFileSync(0, "utf8").trim().split("\n").map((line) => JSON.parse(line));
const runtime = load(setup.runtime);
const { numpy, Slice, NdArray, NdRecord } = runtime;
runtime.defineRecords(setup.records);

function plain(value) {
  if (typeof value === "bigint") return { integer: String(value) };
  if (value instanceof NdArray && value.dtype.recordClass) return [...value].map(plain);
  if (value instanceof NdArray) return { type: value.dtype.typeName, values: plain(value.tolist()) };
  if (value instanceof NdRecord) return [...value.dtype.fields.keys()].map((name) => plain(value[name]));
  return Array.isArray(value) ? value.map(plain) : value;
}

for (const { expression } of expressions) {
  const made = new Function("np", "Slice", "recordType", `${expression}`);
  let answer;
  try {
    answer = { value: plain(made(numpy, Slice, runtime.recordType)) };
  } catch (error) {
    answer = { error: error.constructor.name };
  }
  console.log(JSON.stringify(answer));
}
