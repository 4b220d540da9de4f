// SPDX-License-Identifier: GPL-3.0-or-later
// Regular expressions: those of Python as those of JavaScript.
"use strict";

/** The parts of a pattern that are different in JavaScript: with re.ASCII, and without it. @type {Record<string, [string, string]>} */
const $CLASSES = {
  "\\d": ["0-9", "\\p{Nd}"], "\\w": ["0-9A-Za-z_", "\\p{L}\\p{N}_"], "\\s": ["\\t-\\r ", $SPACES],
};

/**
 * A pattern in JavaScript.
 * @param {string} source
 * @param {number} isWide whether classes are not only of ASCII: 0 or 1
 */
function $translated_pattern(source, isWide) {
  let inClass = false;
  return source.replaceAll(/\\(\d)|\\([^])|\(\?P<|\(\?([^:=!<])|[[\].$-]/g, (part, number, escaped, option) => {
    const known = $CLASSES[part.toLowerCase()];
    if (known && part in $CLASSES) return inClass ? known[isWide] : `[${known[isWide]}]`;
    if (known && !inClass) return `[^${known[isWide]}]`;
    if (part === "\\Z" && !inClass) return "$";
    if (part === "\\A" && !inClass) return "^";
    if (number !== undefined || (escaped !== undefined && /[nrtfv^$\\.*+?()[\]{}|/-]/.test(escaped))) {
      return escaped === "-" && !inClass ? "-" : part;
    }
    if (escaped !== undefined && /[0-9A-Za-z]/.test(escaped) || option !== undefined) {
      throw new $NotImplementedError(`${part} in the pattern ${source}`);
    }
    if (escaped !== undefined) return escaped;
    if (part === "(?P<") return "(?<";
    if (part === "[" && inClass) return "\\[";
    if (part === "[") inClass = true;
    else if (part === "]") inClass = false;
    else if (part === "." && !inClass) return "[^\\n]";
    else if (part === "$" && !inClass) return "(?=\\n?$)(?!\\n\\n)";
    return part;
  });
}

class $Match {
  /** @param {RegExpExecArray} found */
  constructor(found) {
    this.$found = found;
  }

  /** @param {Value} i */
  __getitem__(i) {
    if (typeof i === "string" ? !(i in (this.$found.groups ?? {})) : i >= this.$found.length) throw new $IndexError("no such group");
    return (typeof i === "string" ? this.$found.groups?.[i] : this.$found[i]) ?? null;
  }

  /** @param {Value[]} numbers */
  group(...numbers) {
    if (!numbers.length) return this.$found[0];
    return numbers.length === 1 ? this.__getitem__(numbers[0]) : numbers.map((i) => this.__getitem__(i));
  }

  groups() {
    return this.$found.slice(1).map((one) => one === undefined ? null : one);
  }

  start() {
    return $len(this.$found.input.slice(0, this.$found.index));
  }

  end() {
    return this.start() + $len(this.$found[0]);
  }

  __bool__() {
    return true;
  }
}

class $Pattern {
  /** @param {string} source @param {number} [flags] */
  constructor(source, flags = 0) {
    if (flags & ~$re.ASCII) throw new $NotImplementedError("flags of a pattern");
    this.$source = $translated_pattern(source, flags ? 0 : 1);
  }

  /** @param {string} text @param {(source: string) => string} whole @param {string} flags @param {number} at */
  $run(text, whole, flags, at) {
    const pattern = new RegExp(whole(this.$source), flags);
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    return found && new $Match(found);
  }

  /** @param {string} text @param {number} [at] */
  match(text, at = 0) {
    return this.$run(text, (source) => source, "uy", [...text].slice(0, at).join("").length);
  }

  /** @param {string} text */
  fullmatch(text) {
    return this.$run(text, (source) => `^(?:${source})$`, "u", 0);
  }

  /** @param {string} text */
  search(text) {
    return this.$run(text, (source) => source, "u", 0);
  }

  /** @param {string} text */
  findall(text) {
    return [...text.matchAll(new RegExp(this.$source, "gu"))].map((found) => {
      if (found.length === 1) return found[0];
      const groups = found.slice(1).map((one) => one ?? "");
      return groups.length === 1 ? groups[0] : groups;
    });
  }

  /** @param {string} text */
  * finditer(text) {
    for (const found of text.matchAll(new RegExp(this.$source, "gu"))) yield new $Match(found);
  }

  /** @param {Value} by @param {string} text @param {number} [count] */
  sub(by, text, count = 0) {
    if (typeof by === "string" && by.includes("\\")) throw new $NotImplementedError("\\ in a replacement");
    let found = "", at = 0, number = 0;
    for (const one of text.matchAll(new RegExp(this.$source, "gu"))) {
      if (count && number === count) break;
      found += text.slice(at, one.index) + (typeof by === "string" ? by : $call(by, new $Match(one)));
      at = one.index + one[0].length;
      number += 1;
    }
    return found + text.slice(at);
  }
}

/** The pattern of a function of the module. @param {Value} pattern @param {number} [flags] @returns {$Pattern} */
function $compiled(pattern, flags) {
  return pattern instanceof $Pattern ? pattern : new $Pattern(pattern, flags);
}

const $re = {
  ASCII: 256,
  compile: $compiled,
  match: (/** @type {Value} */ source, /** @type {string} */ text, /** @type {number} */ flags) => $compiled(source, flags).match(text),
  fullmatch: (/** @type {Value} */ source, /** @type {string} */ text, /** @type {number} */ flags) => $compiled(source, flags).fullmatch(text),
  search: (/** @type {Value} */ source, /** @type {string} */ text, /** @type {number} */ flags) => $compiled(source, flags).search(text),
  findall: (/** @type {Value} */ source, /** @type {string} */ text, /** @type {number} */ flags) => $compiled(source, flags).findall(text),
  sub: (/** @type {Value} */ source, /** @type {Value} */ by, /** @type {string} */ text, count = 0, flags = 0) =>
    $compiled(source, flags).sub(by, text, count),
};
