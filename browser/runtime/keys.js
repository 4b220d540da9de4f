// SPDX-License-Identifier: GPL-3.0-or-later
// Keys of dictionaries and sets: equal values have the same key, which a Map compares.
"use strict";

let $identities = 0;
/** @type {WeakMap<object, number>} */
const $identity_of = new WeakMap();

/** @param {Value} x @returns {number} */
function $id(x) {
  let found = $identity_of.get(x);
  if (found === undefined) {
    $identities += 1;
    found = $identities;
    $identity_of.set(x, found);
  }
  return found;
}

/**
 * @param {Value} x
 * @returns {Value}
 */
function $key(x) {
  switch (typeof x) {
    case "string": return x.charCodeAt(0) === 0 ? `\0"${x}` : x;
    case "number": return Number.isInteger(x) && !Number.isSafeInteger(x) ? BigInt(x) : x;
    case "bigint": return x;
    case "boolean": return x ? 1 : 0;
    case "undefined": return null;
    default:
      if (x === null) return null;
      if (Array.isArray(x)) return `\0(${x.map($part).join()})`;
      if (x.__key__) return x.__key__();
      if (typeof x === "object" && x.__eq__) throw new $TypeError(`unhashable type: '${$kind_name(x)}'`);
      return x;
  }
}

/** The key of a value as a part of another key: no two are alike. @param {Value} x */
function $part(x) {
  if (x === undefined) return "\0-";
  const key = $key(x);
  if (typeof key === "string") return `\0"${key.length}:${key}`;
  return typeof key === "object" && key !== null || typeof key === "function" ? `\0#${$id(key)}` : String(key);
}
