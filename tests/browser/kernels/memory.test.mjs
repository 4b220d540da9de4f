// SPDX-License-Identifier: GPL-3.0-or-later
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./scripts.mjs";

const { numpy, ArrayMemory, KernelMemory, COPIED_BYTES, newToken } = load(process.env.TSUME_RUNTIME);
const MEGABYTE = 1 << 20;

function opened(limit) {
  const memory = new KernelMemory(1, limit);
  memory.openHeap(1000);
  return memory;
}

function used(memory, array) {
  memory.beginCall();
  const address = memory.addressOf(array.memory, array.token);
  memory.endCall();
  return address;
}

test("a large array keeps its place and its values", () => {
  const memory = opened(4 * MEGABYTE);
  const array = numpy.zeros(100000, numpy.int64);
  array.__setitem__(7, -5);
  const address = used(memory, array);
  assert.equal(used(memory, array), address);
  memory.view.setInt32(address + 80, 12, true);
  assert.deepEqual([array.__getitem__(7), array.__getitem__(10)], [-5, 12]);
});

test("arrays that are not used move out and in again", () => {
  const memory = opened(4 * MEGABYTE);
  const arrays = Array.from({ length: 12 }, (_, number) => numpy.full(100000, number, numpy.int64));
  for (let round = 0; round < 3; round++) {
    for (const [number, array] of arrays.entries()) {
      const address = used(memory, array);
      assert.equal(memory.view.getInt32(address + 8 * 99999, true), number);
      assert.equal(array.__getitem__(99999), number);
    }
  }
  assert.ok(memory.bytes.length <= 4 * MEGABYTE);
});

test("millions of temporary arrays need no more memory", () => {
  const memory = opened(2 * MEGABYTE);
  for (let turn = 0; turn < 20000; turn++) used(memory, numpy.empty(5000, numpy.int64));
  for (let turn = 0; turn < 200000; turn++) used(memory, numpy.empty(50, numpy.int64));
  assert.ok(memory.bytes.length <= 2 * MEGABYTE);
});

test("one call may need more than the limit", () => {
  const memory = opened(MEGABYTE);
  const arrays = Array.from({ length: 5 }, (_, number) => numpy.full(100000, number, numpy.int64));
  memory.beginCall();
  const addresses = arrays.map((array) => memory.addressOf(array.memory, array.token));
  assert.equal(new Set(addresses).size, 5);
  assert.deepEqual(arrays.map((array) => array.__getitem__(50)), [0, 1, 2, 3, 4]);
  assert.deepEqual(addresses.map((address) => memory.view.getInt32(address + 400, true)), [0, 1, 2, 3, 4]);
  memory.endCall();
});

test("a released place is used again, and the array is empty", () => {
  const memory = opened(MEGABYTE);
  const array = numpy.full(10000, 3, numpy.int64);
  const address = used(memory, array);
  array.release();
  assert.equal(array.__getitem__(0), 0);
  assert.equal(used(memory, numpy.zeros(10000, numpy.int64)), address);
  assert.notEqual(used(memory, array), 0);
});

test("the same small array twice in a call is one", () => {
  const memory = opened(MEGABYTE);
  const array = numpy.arange(10);
  memory.beginCall();
  const first = memory.addressOf(array.memory, array.token);
  assert.equal(memory.addressOf(array.memory, array.token), first);
  memory.view.setInt32(first + 8, 77, true);
  memory.endCall();
  assert.equal(array.__getitem__(1), 77);
});

test("only large memories are watched", () => {
  assert.equal(newToken(new ArrayMemory(COPIED_BYTES)), null);
  assert.notEqual(newToken(new ArrayMemory(COPIED_BYTES + 1)), null);
});

test("a large array that is collected frees its place", { skip: !globalThis.gc }, async () => {
  const memory = opened(4 * MEGABYTE);
  used(memory, numpy.zeros(100000, numpy.int64));
  assert.equal(memory.places.size, 1);
  for (let turn = 0; turn < 20 && memory.places.size; turn++) {
    globalThis.gc();
    await new Promise((resolve) => { setTimeout(resolve, 20); });
  }
  assert.equal(memory.places.size, 0);
});
