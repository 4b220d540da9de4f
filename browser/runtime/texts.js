// SPDX-License-Identifier: GPL-3.0-or-later
// The texts of values: str, repr, and formats.
"use strict";

/** @param {Value} [x] @returns {string} */
function $str(x = "") {
  if (typeof x === "string") return x;
  if (typeof x === "object" && x !== null && x.__str__) return x.__str__();
  return $repr(x);
}

/** @param {Value} x @returns {string} */
function $repr(x) {
  switch (typeof x) {
    case "string": return $quoted(x);
    case "number": return $float_text(x);
    case "bigint": return String(x);
    case "boolean": return x ? "True" : "False";
    case "function": throw new $NotImplementedError("the text of a function or a class");
    default: return x === null || x === undefined ? "None" : $object_text(x);
  }
}

/** @param {Value} x @returns {string} */
function $object_text(x) {
  if (Array.isArray(x)) return `[${x.map($repr).join(", ")}]`; // whether it is a tuple is not known
  if (x instanceof $Counter || x instanceof $defaultdict || x instanceof $deque) {
    throw new $NotImplementedError(`the text of a ${$kind_name(x)}`);
  }
  if (x instanceof $Dict) return `{${[...x.items()].map(([key, value]) => `${$repr(key)}: ${$repr(value)}`).join(", ")}}`;
  if (x instanceof $Set) return x.$map.size ? `{${[...x].map($repr).join(", ")}}` : "set()";
  if (x.__repr__) return x.__repr__();
  throw new $NotImplementedError(`the text of a ${$kind_name(x)}`);
}

/** @type {Record<string, string>} */
const $ESCAPES = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** @param {string} text */
function $quoted(text) {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inner = text.replaceAll(/[\\'\p{C}\p{Z}]/gu, (one) => {
    if (one === "'") return quote === "'" ? "\\'" : one;
    if (one === " " || one in $ESCAPES) return $ESCAPES[one] ?? one;
    const code = /** @type {number} */ (one.codePointAt(0)), digits = code.toString(16);
    if (code < 0x100) return `\\x${digits.padStart(2, "0")}`;
    return code < 0x10000 ? `\\u${digits.padStart(4, "0")}` : `\\U${digits.padStart(8, "0")}`;
  });
  return quote + inner + quote;
}

/** @param {Value} x @param {string} spec */
function $format(x, spec) {
  if (spec === "") return $str(x);
  const found = /^(?:([^])?([<>^=]))?([+ -]?)(0?)(\d*)(,?)(?:\.(\d+))?([sdxXobeEfFgG%]?)$/u.exec(spec);
  if (!found) throw new $NotImplementedError(`format ${spec}`);
  const [, fill, align, sign, zero, width, comma, digits, kind] = found;
  const isText = typeof x === "string" || (x instanceof $Enum && !(x instanceof $IntEnum));
  if (!isText && (x === null || Array.isArray(x) || kind === "s")) throw new $TypeError(`format ${spec} of a ${$kind_name(x)}`);
  if (isText && (sign || comma || !"s".includes(kind) || align === "=")) throw new $ValueError(`format ${spec} of a text`);
  if (comma && zero) throw new $NotImplementedError(`format ${spec}`);
  let text = isText ? $cut($str(x), digits) : $number_text($n(x), kind, digits);
  if (comma) text = text.replace(/^(-?\d+)/, (whole) => whole.replaceAll(/\B(?=(\d{3})+(?!\d))/g, ","));
  if (!isText && (sign === "+" || sign === " ") && !text.startsWith("-")) text = sign + text;
  const side = align || (zero && !isText ? "=" : isText ? "<" : ">");
  return $padded(text, Number(width || 0) - $len(text), side, fill || zero || " ");
}

/** @param {string} text @param {string | undefined} digits */
function $cut(text, digits) {
  return digits === undefined ? text : [...text].slice(0, Number(digits)).join("");
}

/** @param {string} text @param {number} missing @param {string} side @param {string} by */
function $padded(text, missing, side, by) {
  if (missing <= 0) return text;
  const all = by.repeat(missing), before = missing >> 1;
  if (side === "^") return by.repeat(before) + text + by.repeat(missing - before);
  if (side === "=") return text.replace(/^([+ -]?)/, (sign) => sign + all);
  return side === "<" ? text + all : all + text;
}

/** @type {Record<string, number>} */
const $BASES = { d: 10, x: 16, X: 16, o: 8, b: 2 };

/** @param {number | bigint} value @param {string} kind @param {string | undefined} digits */
function $number_text(value, kind, digits) {
  const places = Number(digits ?? 6);
  if (kind in $BASES) {
    if (!$is_whole(value) || digits !== undefined) throw new $ValueError(`format ${kind} of a float`);
    const text = value.toString($BASES[kind]);
    return kind === "X" ? text.toUpperCase() : text;
  }
  if (kind === "" && digits === undefined) return $repr(value);
  if (kind === "") throw new $NotImplementedError("a precision without a type");
  const number = $real(value);
  if (kind === "%") return `${$fixed(number * 100, places)}%`;
  if (!Number.isFinite(number)) return $float_text(number);
  const text = "fF".includes(kind) ? $fixed(number, places)
    : "eE".includes(kind) ? $with_exponent($scientific(number, places)) : $general(number, places || 1);
  return kind < "a" ? text.toUpperCase() : text;
}

/** With an exponent and so many digits after the point, half to even. @param {number} value @param {number} places */
function $scientific(value, places) {
  const text = value.toExponential(places), exact = value.toExponential(Math.min(100, places + 60));
  const [digits, power] = exact.split("e"), size = digits.indexOf(".") + 1 + places;
  const isEven = "02468".includes(digits.slice(0, size).replace(/\.$/, "").slice(-1));
  if (!isEven || !/^50*$/.test(digits.slice(size))) return text;
  return `${digits.slice(0, size).replace(/\.$/, "")}e${power}`;
}

/** @param {number} value @param {number} places */
function $general(value, places) {
  const scientific = $scientific(value, places - 1);
  const exponent = Number(scientific.slice(scientific.indexOf("e") + 1));
  const isPlain = exponent >= -4 && exponent < places;
  const text = isPlain ? $fixed(value, places - 1 - exponent) : $with_exponent(scientific);
  const [digits, power = ""] = text.split(/(?=e)/);
  return (digits.includes(".") ? digits.replace(/\.?0+$/, "") : digits) + power;
}

/** str.format. @param {string} text @param {Value[]} given @param {Value} named a dictionary */
function $format_map(text, given, named) {
  let at = 0;
  return text.replaceAll(/\{\{|\}\}|\{(\w*)(?:!([rs]))?(?::([^{}]*))?\}|[{}]/g, (whole, name, how, spec = "") => {
    if (whole === "{{" || whole === "}}") return whole[0];
    if (whole.length === 1) throw new $NotImplementedError(`the format ${text}`);
    const place = name === "" ? at : Number(name);
    at += name === "" ? 1 : 0;
    const value = Number.isNaN(place) ? named.__getitem__(name) : $get(given, place);
    return $format(how === "r" ? $repr(value) : how === "s" ? $str(value) : value, spec);
  });
}
