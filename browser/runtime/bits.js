// SPDX-License-Identifier: GPL-3.0-or-later
// Operations on bits: of integers of any size, and what & | ^ are for sets, flags and arrays.
"use strict";

/**
 * @param {Value} a
 * @param {Value} b
 * @param {string} name of the operator that the right operand may have
 * @param {(a: bigint, b: bigint) => bigint} big
 */
function $bits(a, b, name, big) {
  if (typeof a === "boolean" && typeof b === "boolean") return big(a ? 1n : 0n, b ? 1n : 0n) === 1n;
  if (b?.[name]) return b[name](a);
  return $whole(big($big(a), $big(b)));
}

/**
 * An integer as a BigInt.
 * @param {Value} x
 */
function $big(x) {
  const value = $n(x);
  if (!$is_whole(value)) throw new $TypeError("a float has no bits");
  return BigInt(value);
}

/** @param {Value} a @param {Value} b @returns {Value} */
function $and(a, b) {
  if (typeof a === "number" && typeof b === "number" && (a | 0) === a && (b | 0) === b) return a & b;
  return a.__and__ ? a.__and__(b) : $bits(a, b, "__rand__", (x, y) => x & y);
}

/** @param {Value} a @param {Value} b @returns {Value} */
function $or(a, b) {
  if (typeof a === "number" && typeof b === "number" && (a | 0) === a && (b | 0) === b) return a | b;
  return a.__or__ ? a.__or__(b) : $bits(a, b, "__ror__", (x, y) => x | y);
}

/** @param {Value} a @param {Value} b @returns {Value} */
function $xor(a, b) {
  if (typeof a === "number" && typeof b === "number" && (a | 0) === a && (b | 0) === b) return a ^ b;
  return a.__xor__ ? a.__xor__(b) : $bits(a, b, "__rxor__", (x, y) => x ^ y);
}

/** @param {Value} a @param {Value} b */
function $shl(a, b) {
  return $whole($big(a) << $shift(b));
}

/** @param {Value} a @param {Value} b */
function $shr(a, b) {
  if (typeof a === "number" && typeof b === "number" && (a | 0) === a && b >= 0) return b > 31 ? (a < 0 ? -1 : 0) : a >> b;
  return $whole($big(a) >> $shift(b));
}

/** @param {Value} by */
function $shift(by) {
  const found = $big(by);
  if (found < 0n) throw new $ValueError("negative shift count");
  return found;
}

/** @param {Value} a */
function $invert(a) {
  return a.__invert__ ? a.__invert__() : $whole(~$big(a));
}
