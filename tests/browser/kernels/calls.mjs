// SPDX-License-Identifier: GPL-3.0-or-later
// Calls kernels of a module: each line of input a call, of output its result and its arguments afterwards.
import { readFileSync } from "node:fs";
import { load } from "./scripts.mjs";

const LARGE = 1 << 20;
const [setup, ...calls] = readFileSync(0, "utf8").trim().split("\n").map((line) => JSON.parse(line));
const { numpy, recordType, loadKernels } = load(setup.runtime);
const manifest = JSON.parse(readFileSync(setup.manifest, "utf8"));
const kernels = loadKernels(readFileSync(setup.wasm), manifest, setup.options);
const arena = setup.arena && Object.fromEntries(setup.arena.map((part) => [part.name, decoded(part)]));

function decoded(value) {
  if (value === null || typeof value !== "object") return value;
  if ("integer" in value) return numpy.uint64(BigInt(value.integer));
  if ("arena" in value) return { ...arena, pos: value.arena && decoded(value.arena) };
  if ("searches" in value) return { ...arena, pos: null, search: arena.searches };
  if (value.element === "searches") return arena.searches.__getitem__(0);
  const array = numpy.zeros(value.shape, numpy[value.type] ?? recordType(value.type));
  if (value.bytes !== undefined) array.memory.bytes.set(Buffer.from(value.bytes, "base64"));
  return value.record ? array.__getitem__(0) : array;
}

function encoded(value) {
  if (typeof value === "bigint") return { integer: String(value) };
  return Array.isArray(value) ? value.map(encoded) : value;
}

function bytesOf(value) {
  if (value === null || typeof value !== "object") return null;
  if (value.pos) return bytesOf(value.pos);
  return value.memory && value.memory.size < LARGE ? Buffer.from(value.memory.bytes).toString("base64") : null;
}

if (arena) {
  arena.search = arena.searches.__getitem__(0);
  Object.assign(arena.search, setup.state);
}
console.log(JSON.stringify({ bytes: kernels.bytes }));
for (const { kernel, arguments: given } of calls) {
  const values = given.map(decoded);
  let result;
  try {
    result = kernels.get(kernel)(...values);
  } catch (error) {
    console.log(JSON.stringify({ error: String(error) }));
    continue;
  }
  const { nodes, pn, dn, length } = arena ? arena.search : {};
  console.log(JSON.stringify({
    result: encoded(result), after: values.map(bytesOf), search: encoded([nodes, pn, dn, length]), bytes: kernels.bytes,
  }));
}
