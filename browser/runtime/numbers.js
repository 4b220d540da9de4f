// SPDX-License-Identifier: GPL-3.0-or-later
// Truth, and arithmetic.
//
// Integers are numbers up to 2 ** 53 - 1 and BigInt beyond, always in the smaller form, so that === compares them.
// Floats are numbers: one without a fraction, up to 2 ** 53, is like the integer.
"use strict";

/** @param {Value} x */
function $t(x) {
  switch (typeof x) {
    case "boolean": return x;
    case "number": return x !== 0;
    case "string": return x.length > 0;
    case "bigint": return x !== 0n;
    case "function": return true;
    case "undefined": return false;
    default:
      if (x === null) return false;
      if (Array.isArray(x)) return x.length > 0;
      if (x.__bool__) return x.__bool__();
      return x.__len__ ? x.__len__() > 0 : true;
  }
}

/**
 * An integer in its one form.
 * @param {bigint} x
 */
function $whole(x) {
  return x <= 9007199254740991n && x >= -9007199254740991n ? Number(x) : x;
}

/**
 * Whether a number is an integer; floats without a fraction pass for integers where these are numbers, too.
 * @param {number | bigint} x
 */
function $is_whole(x) {
  return typeof x === "bigint" || Number.isSafeInteger(x);
}

/**
 * A number: of enumerations their value, of booleans 0 or 1.
 * @param {Value} x
 * @returns {number | bigint}
 */
function $n(x) {
  if (typeof x === "number" || typeof x === "bigint") return x;
  if (typeof x === "boolean") return x ? 1 : 0;
  if (x instanceof $IntEnum) return x.value;
  throw new $TypeError(`${$kind_name(x)} is not a number`);
}

/**
 * A number as a float.
 * @param {Value} x
 * @returns {number}
 */
function $real(x) {
  const value = $n(x), found = Number(value);
  if (typeof value === "bigint" && !Number.isFinite(found)) throw new $OverflowError("int too large to convert to float");
  return found;
}

/**
 * @param {Value} a
 * @param {Value} b
 * @param {(a: bigint, b: bigint) => bigint} big
 * @param {(a: number, b: number) => number} small
 * @returns {number | bigint}
 */
function $arithmetic(a, b, big, small) {
  const x = $n(a), y = $n(b);
  if (!$is_whole(x) || !$is_whole(y)) return small($real(x), $real(y));
  if (typeof x === "number" && typeof y === "number") {
    const found = small(x, y);
    if (Number.isSafeInteger(found)) return found;
  }
  return $whole(big(BigInt(x), BigInt(y)));
}

/** @param {Value} a @param {Value} b @returns {Value} */
function $add(a, b) {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (sum <= 9007199254740991 && sum >= -9007199254740991) return sum;
  }
  if (typeof a === "string" || a instanceof $StrEnum) return $joined(a, b);
  if (Array.isArray(a)) {
    if (Array.isArray(b)) return a.concat(b);
    if (b instanceof $NamedTuple) return [...a, ...b];
  }
  if (a.__add__) return a.__add__(b);
  if (b?.__radd__) return b.__radd__(a);
  return $arithmetic(a, b, (x, y) => x + y, (x, y) => x + y);
}

/** @param {Value} a @param {Value} b @returns {string} */
function $joined(a, b) {
  if (typeof b !== "string" && !(b instanceof $StrEnum)) {
    throw new $TypeError(`can only concatenate str (not "${$kind_name(b)}") to str`);
  }
  return `${a}${b}`;
}

/** @param {Value} a @param {Value} b @returns {Value} */
function $sub(a, b) {
  if (typeof a === "number" && typeof b === "number") {
    const found = a - b;
    if (found <= 9007199254740991 && found >= -9007199254740991) return found;
  }
  if (a.__sub__) return a.__sub__(b);
  if (b?.__rsub__) return b.__rsub__(a);
  return $arithmetic(a, b, (x, y) => x - y, (x, y) => x - y);
}

/** @param {Value} a @param {Value} b @returns {Value} */
function $mul(a, b) {
  if (typeof a === "number" && typeof b === "number") {
    const product = a * b;
    if (product <= 9007199254740991 && product >= -9007199254740991) return product || 0;
  }
  if (typeof a === "string") return a.repeat(Math.max(0, Number($n(b))));
  if (Array.isArray(a)) return $repeated(a, Number($n(b)));
  if (Array.isArray(b)) return $repeated(b, Number($n(a)));
  if (typeof b === "string") return b.repeat(Math.max(0, Number($n(a))));
  if (a.__mul__) return a.__mul__(b);
  if (b?.__rmul__) return b.__rmul__(a);
  return $arithmetic(a, b, (x, y) => x * y, (x, y) => x * y);
}

/** @param {Value[]} items @param {number} times */
function $repeated(items, times) {
  const found = [];
  for (let i = 0; i < times; i += 1) for (const one of items) found.push(one);
  return found;
}

/** @param {Value} a @param {Value} b */
function $div(a, b) {
  if (a.__truediv__) return a.__truediv__(b);
  const x = $n(a), y = $n(b);
  if (y === 0) throw new $ZeroDivisionError("division by zero");
  if (typeof x === "number" && typeof y === "number") return x / y;
  return $is_whole(x) && $is_whole(y) ? $ratio(BigInt(x), BigInt(y)) : $real(x) / $real(y);
}

/**
 * The quotient of large integers, rounded once.
 * @param {bigint} p
 * @param {bigint} q
 */
function $ratio(p, q) {
  const sign = (p < 0n) === (q < 0n) ? 1 : -1;
  const over = p < 0n ? -p : p, under = q < 0n ? -q : q;
  const shift = BigInt(70 + under.toString(2).length - over.toString(2).length);
  const [dividend, divisor] = shift > 0n ? [over << shift, under] : [over, under << -shift];
  const exact = dividend / divisor, rest = dividend % divisor;
  const found = sign * Number(rest ? exact | 1n : exact) * 2 ** -Number(shift);
  if (!Number.isFinite(found)) throw new $OverflowError("integer division result too large for a float");
  return found;
}

/** @param {Value} a @param {Value} b */
function $floordiv(a, b) {
  const x = $n(a), y = $n(b);
  if (y === 0) throw new $ZeroDivisionError("integer division or modulo by zero");
  if (!$is_whole(x) || !$is_whole(y)) return $float_divmod($real(x), $real(y))[0];
  if (typeof x === "number" && typeof y === "number") return Math.floor(x / y) || 0;
  const p = BigInt(x), q = BigInt(y), found = p / q;
  return $whole(p % q !== 0n && (p < 0n) !== (q < 0n) ? found - 1n : found);
}

/**
 * Quotient and rest of floats, as CPython finds them.
 * @param {number} x
 * @param {number} y
 * @returns {[number, number]}
 */
function $float_divmod(x, y) {
  let rest = x % y, quotient = (x - rest) / y;
  if (rest && (y < 0) !== (rest < 0)) [rest, quotient] = [rest + y, quotient - 1];
  const floor = Math.floor(quotient);
  return [(quotient - floor > 0.5 ? floor + 1 : floor) || quotient && floor, rest];
}

/** @param {Value} a @param {Value} b @returns {Value} */
function $mod(a, b) {
  if (typeof a === "string") throw new $NotImplementedError("% of strings");
  const x = $n(a), y = $n(b);
  if (y === 0) throw new $ZeroDivisionError("integer division or modulo by zero");
  if (!$is_whole(x) || !$is_whole(y)) return $float_divmod($real(x), $real(y))[1];
  if (typeof x === "number" && typeof y === "number") {
    const rest = x % y;
    return rest !== 0 && (rest < 0) !== (y < 0) ? rest + y : rest + 0;
  }
  const p = BigInt(x), q = BigInt(y), rest = p % q;
  return $whole(rest !== 0n && (rest < 0n) !== (q < 0n) ? rest + q : rest);
}

/** @param {Value} a @param {Value} b @returns {[Value, Value]} */
function $divmod(a, b) {
  return [$floordiv(a, b), $mod(a, b)];
}

/** @param {Value} a @param {Value} b */
function $pow(a, b) {
  const x = $n(a), y = $n(b);
  if (x === 0 && y < 0) throw new $ZeroDivisionError("0.0 cannot be raised to a negative power");
  if ($is_whole(x) && $is_whole(y) && y >= 0) return $arithmetic(x, y, (p, q) => p ** q, (p, q) => p ** q);
  const base = $real(x), exponent = $real(y);
  if (base < 0 && Number.isFinite(exponent) && !Number.isInteger(exponent)) throw new $NotImplementedError("complex numbers");
  const found = base ** exponent;
  if (!Number.isFinite(found) && Number.isFinite(base) && Number.isFinite(exponent)) throw new $OverflowError("Numerical result out of range");
  return found;
}

/** @param {Value} a */
function $neg(a) {
  if (typeof a === "object" && a?.__neg__) return a.__neg__();
  const x = $n(a);
  return typeof x === "number" ? 0 - x : $whole(-x);
}

/** @param {Value} a */
function $pos(a) {
  return a.__pos__ ? a.__pos__() : $n(a);
}

/** @param {Value} a */
function $abs(a) {
  const x = $n(a);
  return x < 0 ? $neg(x) : x;
}
