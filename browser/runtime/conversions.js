// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers from other values, rounding, and the text of floats.
"use strict";

const $SPACES = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const $LEADING_SPACE = new RegExp(`^[${$SPACES}]+`);
const $TRAILING_SPACE = new RegExp(`[${$SPACES}]+$`);

/** Without the white space around, as Python knows it. @param {string} text */
function $stripped(text) {
  return text.replace($LEADING_SPACE, "").replace($TRAILING_SPACE, "");
}

/**
 * The value of a decimal digit of any script. Their blocks begin at 0 or 6 modulo 16, but for one.
 * @param {string} digit
 */
function $digit(digit) {
  const code = /** @type {number} */ (digit.codePointAt(0));
  if (code >= 0x1d7ce && code <= 0x1d7ff) return (code - 0x1d7ce) % 10;
  const isFirst = /\p{Nd}/u.test(String.fromCodePoint(code - code % 16));
  return code % 16 - (isFirst ? 0 : 6);
}

/** With ASCII digits for those of any script, and without _ between them. @param {string} text */
function $plain_digits(text) {
  const plain = $stripped(text).replaceAll(/\P{ASCII}/gu, (one) => /\p{Nd}/u.test(one) ? String($digit(one)) : one);
  return plain.replaceAll(/(?<=\d)_(?=\d)/g, "");
}

/** @param {Value} [x] @param {Value} [base] @returns {number | bigint} */
function $int(x = 0, base = 10) {
  if (typeof x === "string") return $whole($parsed(x, Number($n(base))));
  const value = $n(x);
  if (typeof value === "bigint") return value;
  if (Number.isNaN(value)) throw new $ValueError("cannot convert float NaN to integer");
  if (!Number.isFinite(value)) throw new $OverflowError("cannot convert float infinity to integer");
  return $whole(BigInt(Math.trunc(value)));
}

/** @param {string} text @param {number} base */
function $parsed(text, base) {
  const found = /^([+-]?)(?:0[xX](?=.))?([0-9a-zA-Z]+)$/.exec($plain_digits(text));
  const prefixed = found && found[0].length > found[1].length + found[2].length;
  const digits = found && (!prefixed || base === 16) ? [...found[2]].map((one) => parseInt(one, 36)) : [];
  if (!digits.length || digits.some((one) => one >= base)) {
    throw new $ValueError(`invalid literal for int() with base ${base}: ${$repr(text)}`);
  }
  const value = digits.reduce((total, one) => total * BigInt(base) + BigInt(one), 0n);
  return found && found[1] === "-" ? -value : value;
}

/** @param {Value} [x] */
function $float(x = 0) {
  if (typeof x !== "string") return $real(x);
  const text = $plain_digits(x).toLowerCase();
  const named = /^([+-]?)(inf|infinity|nan)$/.exec(text);
  if (named) return named[2] === "nan" ? NaN : named[1] === "-" ? -Infinity : Infinity;
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/.test(text)) {
    throw new $ValueError(`could not convert string to float: ${$repr(x)}`);
  }
  return Number(text);
}

/** @param {Value} [x] */
function $bool(x = false) {
  return $t(x);
}

/**
 * Rounds half to even, by the exact value.
 * @param {Value} x
 * @param {Value} [digits]
 */
function $round(x, digits = null) {
  const value = $n(x), places = digits === null ? 0 : Number($n(digits));
  if ($is_whole(value)) return places < 0 ? $rounded_whole(BigInt(value), 10n ** BigInt(-places)) : value;
  if (digits === null) return $int($fixed_value(Number(value), 0));
  if (places < 0) throw new $NotImplementedError("rounding floats to tens");
  return $fixed_value(Number(value), places);
}

/** @param {bigint} value @param {bigint} unit */
function $rounded_whole(value, unit) {
  const rest = ((value % unit) + unit) % unit, low = value - rest;
  const isUp = 2n * rest > unit || (2n * rest === unit && (low / unit) % 2n !== 0n);
  return $whole(isUp ? low + unit : low);
}

/** @param {number} value @param {number} digits */
function $fixed_value(value, digits) {
  return Number.isFinite(value) ? Number($fixed(value, digits)) || 0 : value;
}

/**
 * A number with so many digits after the point, half to even.
 * @param {number} value
 * @param {number} digits
 */
function $fixed(value, digits) {
  if (!Number.isFinite(value)) return $float_text(value);
  if (Math.abs(value) >= 1e21) return `${BigInt(value)}${digits ? `.${"0".repeat(digits)}` : ""}`;
  const text = value.toFixed(digits);
  const exact = Math.abs(value).toFixed(Math.min(100, digits + 60));
  const rest = exact.slice(exact.indexOf(".") + 1 + digits);
  if (!/^50*$/.test(rest)) return text;
  const kept = exact.slice(0, exact.length - rest.length).replace(/\.$/, "");
  const isEven = Number(kept[kept.length - 1]) % 2 === 0;
  return isEven ? (value < 0 ? "-" : "") + kept : text;
}

/** With the exponent in at least two digits. @param {string} text */
function $with_exponent(text) {
  return text.replace(/e([+-])(\d)$/, "e$10$2");
}

/** The text of a float; of one without a fraction that of the integer, unless it is too large for one. @param {number} x */
function $float_text(x) {
  if (Number.isNaN(x)) return "nan";
  if (!Number.isFinite(x)) return x > 0 ? "inf" : "-inf";
  if (Number.isSafeInteger(x)) return String(x);
  const size = Math.abs(x);
  if (size >= 1e16 || size < 1e-4) return $with_exponent(x.toExponential());
  return Number.isInteger(x) ? `${x}.0` : String(x);
}
