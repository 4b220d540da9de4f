// SPDX-License-Identifier: GPL-3.0-or-later
// The methods of texts; places in them count characters, of which JavaScript may have two units.
"use strict";

const $SPACE = new RegExp(`[${$SPACES}]`);
const $LINE_ENDS = "\\n\\v\\f\\r\\x1c-\\x1e\\x85\\u2028\\u2029";
const $LINE_END = new RegExp(`\\r\\n|[${$LINE_ENDS}]`);
/** Digits that are not decimal ones. */
const $DIGIT = /[\p{Nd}\xb2\xb3\xb9\u1369-\u1371\u19da\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2468\u2474-\u247c\u2488-\u2490\u24ea\u24f5-\u24fd\u24ff\u2776-\u277e\u2780-\u2788\u278a-\u2792\u{10a40}-\u{10a43}\u{10e60}-\u{10e68}\u{11052}-\u{1105a}\u{1f100}-\u{1f10a}]/u;

/** Whether a text has characters, and all are of a kind. @param {string} text @param {RegExp} kind */
function $all_are(text, kind) {
  return text !== "" && [...text].every((one) => kind.test(one));
}

/** @param {string} separator */
function $checked(separator) {
  if (separator === "") throw new $ValueError("empty separator");
  return separator;
}

/** @param {string} text @param {number} most */
function $words(text, most) {
  const found = [];
  let rest = text.replace($LEADING_SPACE, "");
  while (rest && (most < 0 || found.length < most)) {
    const size = rest.search($SPACE);
    found.push(size < 0 ? rest : rest.slice(0, size));
    rest = size < 0 ? "" : rest.slice(size).replace($LEADING_SPACE, "");
  }
  return rest ? [...found, rest.replace($TRAILING_SPACE, "") && rest] : found;
}

/**
 * The part of a text between two places, and where it begins; null if the first is beyond the second.
 * @param {string} text
 * @param {Value} start
 * @param {Value} end
 * @returns {[string, number] | null}
 */
function $between(text, start, end) {
  if (start === null && end === null) return [text, 0];
  const size = $len(text);
  const [first, last] = [[start, 0], [end, size]].map(([place, otherwise]) => {
    const at = place === null ? otherwise : Number($n(place));
    return at < 0 ? Math.max(0, at + size) : at;
  });
  if (first > Math.min(last, size)) return null;
  return [/** @type {string} */ ($character(text, new Slice(first, last))), first];
}

/**
 * @param {string} text
 * @param {Value} parts
 * @param {Value} start
 * @param {Value} end
 * @param {"startsWith" | "endsWith"} test
 */
function $has_end(text, parts, start, end, test) {
  const inner = $between(text, start, end);
  return inner !== null && (Array.isArray(parts) ? parts : [parts]).some((one) => inner[0][test](one));
}

/**
 * The place of a part, or -1.
 * @param {string} text
 * @param {string} part
 * @param {Value} start
 * @param {Value} end
 * @param {"indexOf" | "lastIndexOf"} search
 */
function $found_at(text, part, start, end, search) {
  const [inner, first] = $between(text, start, end) ?? [null, 0];
  const at = inner === null ? -1 : inner[search](part);
  return inner === null || at < 0 ? -1 : first + $len(inner.slice(0, at));
}

/** @param {string} text @param {string} chars */
function $left_stripped(text, chars) {
  const units = [...text], first = units.findIndex((one) => !chars.includes(one));
  return first < 0 ? "" : units.slice(first).join("");
}

/** @param {string} text */
function $folded(text) {
  return [...text].map((one) => {
    const upper = one.toUpperCase();
    if (/[\u13a0-\u13f5\u0131]/.test(one)) return one;
    return (upper.length > one.length || one === "\u03c2" || one === "\u1e9e" ? upper.toLowerCase() : one.toLowerCase()).replace("\u1e9e", "ss");
  }).join("");
}

/** @type {Record<string, (text: string, ...given: Value[]) => Value>} */
const $string_methods = {
  join: (text, items) => [...$iter(items)].reduce((all, one, number) => $joined(number ? all + text : "", one), ""),
  split: (text, by = null, most = -1) => {
    if (by === null) return $words(text, most);
    const parts = text.split($checked(by));
    return most < 0 || parts.length <= most + 1 ? parts : [...parts.slice(0, most), parts.slice(most).join(by)];
  },
  splitlines: (text) => {
    const lines = text.split($LINE_END);
    if (lines[lines.length - 1] === "") lines.pop();
    return lines;
  },
  strip: (text, chars = null) => $string_methods.lstrip($string_methods.rstrip(text, chars), chars),
  lstrip: (text, chars = null) => chars === null ? text.replace($LEADING_SPACE, "") : $left_stripped(text, chars),
  rstrip: (text, chars = null) => {
    if (chars === null) return text.replace($TRAILING_SPACE, "");
    return [...$left_stripped([...text].reverse().join(""), chars)].reverse().join("");
  },
  startswith: (text, parts, start = null, end = null) => $has_end(text, parts, start, end, "startsWith"),
  endswith: (text, parts, start = null, end = null) => $has_end(text, parts, start, end, "endsWith"),
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  casefold: $folded,
  capitalize: (text) => {
    const [first = "", ...rest] = [...text];
    return first.toUpperCase() + rest.join("").toLowerCase();
  },
  replace: (text, old, by, most = -1) => {
    const parts = old === "" ? ["", ...text, ""] : text.split(old);
    if (most < 0 || parts.length <= most + 1) return parts.join(by);
    return [...parts.slice(0, most), parts.slice(most).join(old)].join(by);
  },
  partition: (text, by) => {
    const at = text.indexOf($checked(by));
    return at < 0 ? [text, "", ""] : [text.slice(0, at), by, text.slice(at + by.length)];
  },
  rpartition: (text, by) => {
    const at = text.lastIndexOf($checked(by));
    return at < 0 ? ["", "", text] : [text.slice(0, at), by, text.slice(at + by.length)];
  },
  isdigit: (text) => $all_are(text, $DIGIT),
  isalpha: (text) => $all_are(text, /\p{L}/u),
  islower: (text) => /\p{Lowercase}/u.test(text) && !/[\p{Uppercase}\p{Lt}]/u.test(text),
  isupper: (text) => /\p{Uppercase}/u.test(text) && !/[\p{Lowercase}\p{Lt}]/u.test(text),
  isascii: (text) => [...text].every((one) => one < "\x80"),
  isspace: (text) => $all_are(text, $SPACE),
  find: (text, part, start = null, end = null) => $found_at(text, part, start, end, "indexOf"),
  rfind: (text, part, start = null, end = null) => $found_at(text, part, start, end, "lastIndexOf"),
  index: (text, part, start = null, end = null) => {
    const at = $found_at(text, part, start, end, "indexOf");
    if (at < 0) throw new $ValueError("substring not found");
    return at;
  },
  count: (text, part, start = null, end = null) => {
    const [inner] = $between(text, start, end) ?? [null];
    if (inner === null) return 0;
    return part === "" ? $len(inner) + 1 : inner.split(part).length - 1;
  },
  removeprefix: (text, start) => text.startsWith(start) ? text.slice(start.length) : text,
  removesuffix: (text, end) => end && text.endsWith(end) ? text.slice(0, -end.length) : text,
  ljust: (text, width, by = " ") => $padded(text, Number(width) - $len(text), "<", by),
  rjust: (text, width, by = " ") => $padded(text, Number(width) - $len(text), ">", by),
  center: (text, width, by = " ") => {
    const missing = Math.max(0, Number(width) - $len(text)), before = (missing >> 1) + (missing & Number(width) & 1);
    return by.repeat(before) + text + by.repeat(missing - before);
  },
  zfill: (text, width) => text.replace(/^[+-]?/, (sign) => sign + "0".repeat(Math.max(0, Number(width) - $len(text)))),
  format: (text, ...given) => $format_map(text, given, $dict([])),
  translate: (text, table) => [...text].map((one) => {
    const found = table.get(one.codePointAt(0), one);
    return found === null ? "" : typeof found === "number" ? String.fromCodePoint(found) : found;
  }).join(""),
};
