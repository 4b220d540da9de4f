// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
// The functions of NumPy about elements of arrays that the solver uses.

Object.assign(numpy, {
  /** @param {Iterable<number>} values @param {number} minlength */
  bincount(values, minlength = 0) {
    const counts = new Array(minlength).fill(0);
    for (const value of values) {
      while (counts.length <= value) counts.push(0);
      counts[value]++;
    }
    return numpy.array(counts, SCALAR_TYPES.int64);
  },

  /**
   * The value at a place on a line through points, whose places increase; at the ends it is level.
   * @param {number} place @param {Iterable<number>} places @param {Iterable<number>} values
   */
  interp(place, places, values) {
    const [xs, ys] = [[...places], [...values]];
    const after = xs.findIndex((x) => x > place);
    if (after < 0) return ys[ys.length - 1];
    if (after === 0) return ys[0];
    const [left, right] = [xs[after - 1], xs[after]];
    return ys[after - 1] + (ys[after] - ys[after - 1]) / (right - left) * (place - left);
  },

  /** @param {NdArray} array */
  abs: (array) => elementwise(array, 0, null, (value) => (value < 0 ? -value : value)),

  /** @param {NdArray | number[]} values */
  cumsum(values) {
    /** @type {number | bigint} */
    let total = 0;
    return numpy.array(Array.from(values, (value) => (total = addExactly(total, value))), SCALAR_TYPES.int64);
  },

  /** The integers of both, in ascending order. @param {NdArray | number[]} one @param {NdArray | number[]} other */
  union1d: (one, other) => numpy.array([...new Set([...one, ...other])].sort((a, b) => a - b), SCALAR_TYPES.int64),

  /** @param {any} left @param {any} right */
  maximum: (left, right) => elementwise(left, right, null, (one, other) => (one > other ? one : other)),
});
