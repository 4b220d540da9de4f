// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
// Sorted lists, and arrays of integers as Python's, which are lists here.

/** @param {Value} items @param {(item: Value) => boolean} isBefore @returns {number} how many come before a place */
function placeAmong(items, isBefore) {
  let low = 0, high = $len(items);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore($get(items, middle))) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** @param {Value} items @param {Value} x */
function $bisect_left(items, x) {
  return placeAmong(items, (item) => $lt(item, x));
}

/** @param {Value} items @param {Value} x */
function $bisect_right(items, x) {
  return placeAmong(items, (item) => !$lt(x, item));
}

/** @param {string} _code that of int64 @param {NdArray} [numbers] @returns {Value[]} */
function $array(_code, numbers = newArray([0], SCALAR_TYPES.int64)) {
  return numbers.tolist();
}

Object.defineProperty(NdArray.prototype, "tobytes", {
  /** What `$array` reads. @this {NdArray} */
  value() { return this; },
});
Object.defineProperty(NdArray.prototype, "argmax", {
  /** The place of the first of the largest. @this {NdArray} */
  value() {
    const values = this.tolist();
    return values.indexOf(values.reduce((best, one) => (one > best ? one : best)));
  },
});
Object.assign(numpy, { searchsorted: $bisect_left, inf: Infinity });
