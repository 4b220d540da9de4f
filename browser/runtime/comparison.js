// SPDX-License-Identifier: GPL-3.0-or-later
// Equality and order.
"use strict";

/** @param {Value} a @param {Value} b @returns {boolean} */
function $eq(a, b) {
  if (a === b) return true;
  if (a === null || a === undefined) return b === null || b === undefined;
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) return false;
    for (let i = 0; i < a.length; i += 1) if (!$eq(a[i], b[i])) return false;
    return true;
  }
  if (typeof a === "object" && a.__eq__) return a.__eq__(b);
  if (typeof b === "object" && b?.__eq__) return b.__eq__(a);
  if (typeof a === "boolean") return typeof b !== "boolean" && $eq(Number(a), b);
  if (typeof b === "boolean") return $eq(a, Number(b));
  if (typeof a === "bigint" && typeof b === "number" || typeof a === "number" && typeof b === "bigint") return a >= b && a <= b;
  return false;
}

/** @param {Value} a @param {Value} b */
function $ne(a, b) {
  return a?.__ne__ ? a.__ne__(b) : !$eq(a, b);
}

/**
 * Less than 0, 0, or more.
 * @param {Value} a
 * @param {Value} b
 * @returns {number}
 */
function $compare(a, b) {
  if (typeof a === "number" && typeof b === "number") return a < b ? -1 : a > b ? 1 : 0;
  if (a instanceof $NamedTuple) return $compare([...a], b);
  if (b instanceof $NamedTuple) return $compare(a, [...b]);
  if (Array.isArray(a) && Array.isArray(b)) {
    const shared = Math.min(a.length, b.length);
    for (let i = 0; i < shared; i += 1) if (!$eq(a[i], b[i])) return $compare(a[i], b[i]);
    return a.length - b.length;
  }
  if (a instanceof $StrEnum) return $compare(a.value, b);
  if (b instanceof $StrEnum) return $compare(a, b.value);
  if (typeof a === "string" && typeof b === "string") return $compare_texts(a, b);
  if (a?.$is_ordered && b?.constructor === a.constructor) return $compare(a.$values(), b.$values());
  if (a?.__lt__) return a.__lt__(b) ? -1 : b.__lt__?.(a) ? 1 : 0;
  const x = $n(a), y = $n(b);
  return x < y ? -1 : x > y ? 1 : 0;
}

/** By code points; JavaScript compares halves of them. @param {string} a @param {string} b */
function $compare_texts(a, b) {
  let at = 0;
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  if (at === a.length || at === b.length) return a.length - b.length;
  const [x, y] = [a, b].map((text) => {
    const unit = text.charCodeAt(at);
    return unit >= 0xe000 ? unit - 0x2000 : unit >= 0xd800 ? unit + 0x2000 : unit;
  });
  return x - y;
}

/** @param {Value} a @param {Value} b @returns {Value} */
function $lt(a, b) {
  if (typeof a === "number" && typeof b === "number") return a < b;
  return a?.__lt__ ? a.__lt__(b) : b?.__gt__ ? b.__gt__(a) : $compare(a, b) < 0;
}

/** @param {Value} a @param {Value} b @returns {Value} */
function $le(a, b) {
  if (typeof a === "number" && typeof b === "number") return a <= b;
  return a?.__le__ ? a.__le__(b) : b?.__ge__ ? b.__ge__(a) : $compare(a, b) <= 0;
}

/** @param {Value} a @param {Value} b @returns {Value} */
function $gt(a, b) {
  if (typeof a === "number" && typeof b === "number") return a > b;
  return a?.__gt__ ? a.__gt__(b) : b?.__lt__ ? b.__lt__(a) : $compare(a, b) > 0;
}

/** @param {Value} a @param {Value} b @returns {Value} */
function $ge(a, b) {
  if (typeof a === "number" && typeof b === "number") return a >= b;
  return a?.__ge__ ? a.__ge__(b) : b?.__le__ ? b.__le__(a) : $compare(a, b) >= 0;
}
