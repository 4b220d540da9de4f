// SPDX-License-Identifier: GPL-3.0-or-later
// The generator's network, which the page sends when it is first needed (tsume/web/solver_scripts.py).
"use strict";

/** @typedef {[string, "float16" | "int8", number[]][]} NetworkLayout names, types and shapes of its arrays */

/** Composing needs the network, and the page has not sent it. */
class NetworkMissing extends Error {
  constructor() {
    super("the network is missing");
    this.name = "NetworkMissing";
  }
}

/** @type {Map<string, NdArray> | null} */
let networkArrays = null;

/** @param {NetworkLayout} layout @param {Uint8Array} bytes */
function $take_network(layout, bytes) {
  const numbers = halfPrecisionNumbers();
  const arrays = new Map();
  let at = 0;
  for (const [name, type, shape] of layout) {
    const isWeight = type === "float16";
    const array = newArray(shape, isWeight ? SCALAR_TYPES.float32 : SCALAR_TYPES.int8);
    const { size, memory } = array;
    if (isWeight) {
      const weights = new Float32Array(memory.bytes.buffer, memory.bytes.byteOffset, size);
      for (let i = 0; i < size; i++) weights[i] = numbers[bytes[at + i] << 8 | bytes[at + size + i]];
    } else {
      memory.bytes.set(bytes.subarray(at, at + size));
    }
    at += isWeight ? 2 * size : size;
    arrays.set(name, array);
  }
  networkArrays = arrays;
}

/** The number that each 16 bits stand for, but for infinities and what is no number. */
function halfPrecisionNumbers() {
  const numbers = new Float32Array(65536);
  for (let bits = 0; bits < 65536; bits++) {
    const exponent = bits >> 10 & 31;
    const fraction = (bits & 1023) / 1024;
    const value = exponent ? (1 + fraction) * 2 ** (exponent - 15) : fraction * 2 ** -14;
    numbers[bits] = bits & 0x8000 ? -value : value;
  }
  return numbers;
}

function sentNetwork() {
  if (!networkArrays) throw new NetworkMissing();
  return networkArrays;
}

/** `stored_network` of generator/learned/search.py: the arrays by name. */
function $stored_network() {
  return Object.fromEntries(sentNetwork());
}

/** `stored_array` of generator/learned/search.py. @param {string} name */
function $stored_array(name) {
  return sentNetwork().get(name) ?? null;
}
