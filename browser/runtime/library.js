// SPDX-License-Identifier: GPL-3.0-or-later
// Modules of the standard library, as far as they are used: math, time, sys, unicodedata, json.
"use strict";

/**
 * A function of floats that refuses what is outside of its domain.
 * @param {(x: number) => number} function_
 * @returns {(x: Value) => number}
 */
function $of_float(function_) {
  return (x) => {
    const value = $real(x), found = function_(value);
    if (Number.isNaN(found) && !Number.isNaN(value)) throw new $ValueError("math domain error");
    if (!Number.isFinite(found) && Number.isFinite(value)) {
      if (found > 0) throw new $OverflowError("math range error");
      throw new $ValueError("math domain error");
    }
    return found;
  };
}

/** The logarithm of a number; of a large integer, too. @param {Value} x */
function $log(x) {
  const value = $n(x);
  if (typeof value === "number" || value < 0n || Number.isFinite(Number(value))) return $of_float(Math.log)(x);
  const digits = value.toString(16), kept = digits.slice(0, 16);
  return Math.log(Number(`0x${kept}`)) + (digits.length - kept.length) * Math.log(16);
}

const $math = {
  inf: Infinity, pi: Math.PI, e: Math.E,
  log: (/** @type {Value} */ x, /** @type {Value} */ base) => base === undefined ? $log(x) : $div($log(x), $log(base)),
  log2: $of_float(Math.log2),
  log10: $of_float(Math.log10),
  log1p: $of_float(Math.log1p),
  exp: $of_float(Math.exp),
  sqrt: $of_float(Math.sqrt),
  tanh: $of_float(Math.tanh),
  floor: (/** @type {Value} */ x) => $is_whole($n(x)) ? $n(x) : $int(Math.floor($real(x))),
  ceil: (/** @type {Value} */ x) => $is_whole($n(x)) ? $n(x) : $int(Math.ceil($real(x))),
  isfinite: (/** @type {Value} */ x) => Number.isFinite($real(x)),
  isnan: (/** @type {Value} */ x) => Number.isNaN($real(x)),
  prod: (/** @type {Value} */ source) => $reduce($mul, source, 1),
  fsum: $fsum,
};

/** The exact sum, rounded once, as CPython has it (Shewchuk). @param {Value} source */
function $fsum(source) {
  /** @type {number[]} */
  const partials = [];
  for (const one of $iter(source)) {
    let x = $real(one), kept = 0;
    for (let y of partials) {
      if (Math.abs(x) < Math.abs(y)) [x, y] = [y, x];
      const high = x + y, low = y - (high - x);
      if (low) partials[kept++] = low;
      x = high;
    }
    partials[kept] = x;
    partials.length = kept + 1;
  }
  let high = partials.pop() ?? 0, low = 0;
  while (partials.length && !low) {
    const x = high, y = /** @type {number} */ (partials.pop());
    high = x + y;
    low = y - (high - x);
  }
  const next = partials[partials.length - 1] ?? 0;
  const isHalf = low && next && (low < 0) === (next < 0) && high + 2 * low - high === 2 * low;
  return isHalf ? high + 2 * low : high;
}

const $time = {
  monotonic: () => performance.now() / 1000,
  process_time: () => performance.now() / 1000,
  perf_counter: () => performance.now() / 1000,
  time: () => Date.now() / 1000,
};

const $sys = { setrecursionlimit: () => null, getrecursionlimit: () => 1_000_000 };
const $unicodedata = { normalize: (/** @type {string} */ form, /** @type {string} */ text) => text.normalize(form) };

const $json = {
  dumps: $json_text,
  loads: (/** @type {string} */ text) => $from_plain(JSON.parse(text)),
};

/** JSON as Python writes it without options. @param {Value} x @returns {string} */
function $json_text(x) {
  if (typeof x === "string" || x instanceof $StrEnum) return $json_string(String(x));
  if (x instanceof $Dict) {
    const pairs = [...x.items()].map(([key, value]) => `${$json_string(typeof key === "string" ? key : $json_text(key))}: ${$json_text(value)}`);
    return `{${pairs.join(", ")}}`;
  }
  if (Array.isArray(x) || x instanceof $NamedTuple) return `[${[...x].map($json_text).join(", ")}]`;
  if (x === null || x === undefined) return "null";
  if (typeof x === "boolean") return String(x);
  if (typeof x === "object" && !(x instanceof $IntEnum)) throw new $TypeError(`${$kind_name(x)} is not JSON serializable`);
  const text = $repr($n(x));
  return { inf: "Infinity", "-inf": "-Infinity", nan: "NaN" }[text] ?? text;
}

/** @param {string} text */
function $json_string(text) {
  return JSON.stringify(text).replaceAll(/[\x7f-\uffff]/g, (one) => {
    return one === "\x7f" ? one : `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** Values as JSON knows them. @param {Value} x @returns {Value} */
function $plain(x) {
  if (x === undefined || x === null) return null;
  if (typeof x === "bigint") return Number(x);
  if (Array.isArray(x)) return x.map($plain);
  if (x instanceof $Dict) return Object.fromEntries([...x.items()].map(([key, value]) => [$str(key), $plain(value)]));
  if (x instanceof $IntEnum || x instanceof $StrEnum) return x.value;
  if (x instanceof $NamedTuple || x instanceof $Set) return [...x].map($plain);
  return x;
}

/** Objects of JavaScript as dictionaries. @param {Value} x @returns {Value} */
function $from_plain(x) {
  if (Array.isArray(x)) return x.map($from_plain);
  if (x !== null && typeof x === "object") return $dict(Object.entries(x).map(([key, value]) => [key, $from_plain(value)]));
  return x === undefined ? null : x;
}
