// What translated Python needs of its library: texts, methods of built-in types, functools, itertools, math, re.
"use strict";

// --- texts ----------------------------------------------------------------------------------------

/** @param {Value} [x] @returns {string} */
function $str(x = "") {
  if (typeof x === "string") return x;
  if (typeof x === "object" && x !== null && x.__str__) return x.__str__();
  return $repr(x);
}

/** @param {Value} x @returns {string} */
function $repr(x) {
  switch (typeof x) {
    case "string": return x.includes("'") && !x.includes('"') ? `"${x}"` : `'${x.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
    case "number": case "bigint": return String(x);
    case "boolean": return x ? "True" : "False";
    case "function": return x.name;
    default:
      if (x === null || x === undefined) return "None";
      if (Array.isArray(x)) return `[${x.map($repr).join(", ")}]`;
      if (x instanceof $Dict) return `{${x.items().map(([key, value]) => `${$repr(key)}: ${$repr(value)}`).join(", ")}}`;
      if (x instanceof $Enum) return `<${x.__str__()}>`;
      if (x.$fields) return `${x.constructor.name}(${x.$fields.map((/** @type {string} */ f) => `${f}=${$repr(x[f])}`).join(", ")})`;
      return x.__str__ ? x.__str__() : String(x);
  }
}

/** @param {Value} x @param {string} spec */
function $format(x, spec) {
  const found = /^(?:(.)?([<>^]))?([+ ]?)(0?)(\d*)(,?)(?:\.(\d+))?([a-z%]?)$/.exec(spec);
  if (!found) throw new $NotImplementedError(`format ${spec}`);
  const [, fill, align, sign, zero, width, comma, digits, kind] = found;
  let text = $str(x);
  const value = typeof x === "string" || kind === "s" ? null : x instanceof $IntEnum ? x.value : x;
  if (value !== null && kind === "%") text = `${$fixed(Number(value) * 100, Number(digits ?? 6))}%`;
  else if (value !== null && kind === "x") text = value.toString(16);
  else if (value !== null && kind === "g") text = String(Number(Number(value).toPrecision(Number(digits ?? 6))));
  else if (value !== null && (kind === "f" || digits !== undefined)) text = $fixed(Number(value), Number(digits ?? 6));
  if (comma) text = text.replace(/^(-?\d+)/, (whole) => whole.replaceAll(/\B(?=(\d{3})+(?!\d))/g, ","));
  if (sign && value !== null && !text.startsWith("-")) text = sign + text;
  const missing = Number(width || 0) - text.length;
  if (missing <= 0) return text;
  if (zero) return text.replace(/^([+-]?)/, `$1${"0".repeat(missing)}`);
  const side = align || (value === null ? "<" : ">");
  const by = fill || " ";
  if (side === "^") return by.repeat(missing >> 1) + text + by.repeat(missing - (missing >> 1));
  return side === "<" ? text + by.repeat(missing) : by.repeat(missing) + text;
}

/** @param {string} text @param {Value} parts */
function $format_map(text, parts) {
  return text.replaceAll(/\{\{|\}\}|\{(\w+)(?::([^}]*))?\}/g, (whole, name, spec) => {
    if (whole === "{{" || whole === "}}") return whole[0];
    const value = parts.__getitem__(name);
    return spec ? $format(value, spec) : $str(value);
  });
}

/** @type {Record<string, (text: string, ...given: Value[]) => Value>} */
const $string_methods = {
  join: (text, items) => [...$iter(items)].join(text),
  split: (text, by = null, most = -1) => {
    const limit = most !== null && typeof most === "object" ? most.maxsplit : most;
    const parts = by === null ? text.trim().split(/\s+/).filter(Boolean) : text.split(by);
    if (limit < 0 || parts.length <= limit + 1) return parts;
    if (by === null) {
      const found = new RegExp(`^\\s*((?:\\S+\\s+){${limit}})([\\s\\S]*)$`).exec(text);
      return found ? [...found[1].trim().split(/\s+/), found[2]] : parts;
    }
    return [...parts.slice(0, limit), parts.slice(limit).join(by)];
  },
  strip: (text, chars = null) => $string_methods.lstrip($string_methods.rstrip(text, chars), chars),
  lstrip: (text, chars = null) => {
    if (chars === null) return text.trimStart();
    let at = 0;
    while (at < text.length && chars.includes(text[at])) at += 1;
    return text.slice(at);
  },
  rstrip: (text, chars = null) => {
    if (chars === null) return text.trimEnd();
    let at = text.length;
    while (at > 0 && chars.includes(text[at - 1])) at -= 1;
    return text.slice(0, at);
  },
  startswith: (text, start) => Array.isArray(start) ? start.some((one) => text.startsWith(one)) : text.startsWith(start),
  endswith: (text, end) => Array.isArray(end) ? end.some((one) => text.endsWith(one)) : text.endsWith(end),
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  casefold: (text) => text.toLowerCase(),
  capitalize: (text) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase(),
  replace: (text, old, by, most = -1) => {
    if (most < 0) return text.replaceAll(old, () => by);
    let found = text;
    for (let i = 0; i < most; i += 1) found = found.replace(old, () => by);
    return found;
  },
  partition: (text, by) => {
    const at = text.indexOf(by);
    return at < 0 ? [text, "", ""] : [text.slice(0, at), by, text.slice(at + by.length)];
  },
  rpartition: (text, by) => {
    const at = text.lastIndexOf(by);
    return at < 0 ? ["", "", text] : [text.slice(0, at), by, text.slice(at + by.length)];
  },
  isdigit: (text) => /^\p{Nd}+$/u.test(text),
  isalpha: (text) => /^\p{L}+$/u.test(text),
  islower: (text) => text === text.toLowerCase() && text !== text.toUpperCase(),
  isupper: (text) => text === text.toUpperCase() && text !== text.toLowerCase(),
  isascii: (text) => [...text].every((one) => one < "\x80"),
  isspace: (text) => /^\s+$/.test(text),
  find: (text, part, start = 0) => text.indexOf(part, start),
  rfind: (text, part) => text.lastIndexOf(part),
  index: (text, part) => {
    const at = text.indexOf(part);
    if (at < 0) throw new $ValueError("substring not found");
    return at;
  },
  count: (text, part) => text.split(part).length - 1,
  removeprefix: (text, start) => text.startsWith(start) ? text.slice(start.length) : text,
  removesuffix: (text, end) => end && text.endsWith(end) ? text.slice(0, -end.length) : text,
  splitlines: (text) => text.replace(/\r?\n$/, "").split(/\r?\n/),
  ljust: (text, width, by = " ") => text.padEnd(width, by),
  rjust: (text, width, by = " ") => text.padStart(width, by),
  zfill: (text, width) => text.padStart(width, "0"),
  format: (text, ...given) => {
    let at = 0;
    return text.replaceAll(/\{(\d*)(?::([^}]*))?\}/g, (_, number, spec) => {
      const value = given[number ? Number(number) : at];
      at += 1;
      return spec ? $format(value, spec) : $str(value);
    });
  },
  translate: (text, table) => [...text].map((one) => table.get(one.codePointAt(0), one)).join(""),
};

/** @type {Record<string, (list: Value[], ...given: Value[]) => Value>} */
const $list_methods = {
  extend: (list, items) => $extend(list, items),
  insert: (list, at, item) => {
    list.splice(at, 0, item);
    return null;
  },
  pop: (list, at = -1) => {
    if (!list.length) throw new $IndexError("pop from empty list");
    return list.splice(at, 1)[0];
  },
  remove: (list, item) => {
    list.splice($list_methods.index(list, item), 1);
    return null;
  },
  index: (list, item, start = 0) => {
    for (let i = start; i < list.length; i += 1) if ($eq(list[i], item)) return i;
    throw new $ValueError(`${$repr(item)} is not in list`);
  },
  count: (list, item) => list.reduce((number, one) => number + ($eq(one, item) ? 1 : 0), 0),
  copy: (list) => [...list],
  sort: (list) => $list_sort(list),
  reverse: (list) => {
    list.reverse();
    return null;
  },
  clear: (list) => {
    list.length = 0;
    return null;
  },
};

/** @type {Record<string, (x: Value, ...given: Value[]) => Value>} */
const $number_methods = {
  bit_length: (x) => x === 0 ? 0 : BigInt(x < 0 ? -x : x).toString(2).length,
  bit_count: (x) => BigInt(x < 0 ? -x : x).toString(2).replaceAll("0", "").length,
  is_integer: (x) => Number.isInteger(x),
};

/** A method that values of JavaScript may be asked for. @param {Value} x @param {string} name @param {Value[]} given */
function $m(x, name, ...given) {
  if (typeof x === "string") return $string_methods[name](x, ...given);
  if (Array.isArray(x)) return $list_methods[name](x, ...given);
  if (typeof x === "number" || typeof x === "bigint") return $number_methods[name](x, ...given);
  if (name === "close" && !x.close) return x.return ? x.return() : null;
  if (x === $str && name === "join") return $string_methods.join(given[0], given[1]);
  return x[name](...given);
}

// --- functools, itertools, heapq ------------------------------------------------------------------

/** @param {Value} function_ */
function $cache(function_) {
  if (typeof function_ !== "function") return $cache;
  /** @type {Map<Value, Value>} */
  const known = new Map();
  return (/** @type {Value[]} */ ...given) => {
    const key = $key(given);
    if (!known.has(key)) known.set(key, function_(...given));
    return known.get(key);
  };
}

/** @param {Value} function_ @param {Value} source @param {Value} [first] */
function $reduce(function_, source, first) {
  let total = first;
  for (const x of $iter(source)) total = total === undefined ? x : $call(function_, total, x);
  return total;
}

/** @param {Value} source @param {number} first @param {number} [last] */
function* $islice(source, first, last) {
  const [start, stop] = last === undefined ? [0, first] : [first, last];
  if (stop !== null && stop <= 0) return;
  let i = 0;
  for (const x of $iter(source)) {
    if (i >= start) yield x;
    i += 1;
    if (stop !== null && i >= stop) return;
  }
}

/** @param {Value[]} sources */
function* $chain(...sources) {
  for (const source of sources) yield* $iter(source);
}
$chain.from_iterable = function* (/** @type {Value} */ sources) {
  for (const source of $iter(sources)) yield* $iter(source);
};

/** @param {Value} source */
function* $pairwise(source) {
  let before, any = false;
  for (const x of $iter(source)) {
    if (any) yield [before, x];
    [before, any] = [x, true];
  }
}

/** @param {Value} source @param {number} size @returns {Generator<Value[]>} */
function* $combinations(source, size) {
  const items = [...$iter(source)];
  if (size === 0) yield [];
  else {
    for (let i = 0; i <= items.length - size; i += 1) {
      for (const rest of $combinations(items.slice(i + 1), size - 1)) yield [items[i], ...rest];
    }
  }
}

/** @param {Value[]} sources @returns {Generator<Value[]>} */
function* $product(...sources) {
  if (!sources.length) yield [];
  else {
    const rest = [...$product(...sources.slice(1))];
    for (const x of $iter(sources[0])) for (const more of rest) yield [x, ...more];
  }
}

/** @param {Value} function_ @param {Value} source */
function* $takewhile(function_, source) {
  for (const x of $iter(source)) {
    if (!$t($call(function_, x))) return;
    yield x;
  }
}

/** @param {number} [start] @param {number} [step] */
function* $count(start = 0, step = 1) {
  for (let i = start; ; i += step) yield i;
}

/** @param {Value[]} heap @param {Value} item */
function $heappush(heap, item) {
  let at = heap.length;
  heap.push(item);
  while (at > 0) {
    const above = (at - 1) >> 1;
    if ($compare(heap[above], item) <= 0) break;
    heap[at] = heap[above];
    at = above;
  }
  heap[at] = item;
}

/** @param {Value[]} heap */
function $heappop(heap) {
  const least = heap[0], last = heap.pop();
  let at = 0;
  if (!heap.length) return least;
  for (;;) {
    let below = 2 * at + 1;
    if (below >= heap.length) break;
    if (below + 1 < heap.length && $compare(heap[below + 1], heap[below]) < 0) below += 1;
    if ($compare(last, heap[below]) <= 0) break;
    heap[at] = heap[below];
    at = below;
  }
  heap[at] = last;
  return least;
}

// --- modules --------------------------------------------------------------------------------------

const $math = {
  inf: Infinity, pi: Math.PI, e: Math.E,
  log: (/** @type {Value} */ x, /** @type {Value} */ base) => base === undefined ? Math.log(Number(x)) : Math.log(Number(x)) / Math.log(base),
  log2: (/** @type {Value} */ x) => Math.log2(Number(x)),
  log10: (/** @type {Value} */ x) => Math.log10(Number(x)),
  log1p: (/** @type {Value} */ x) => Math.log1p(Number(x)),
  exp: (/** @type {Value} */ x) => Math.exp(x),
  sqrt: (/** @type {Value} */ x) => Math.sqrt(x),
  tanh: (/** @type {Value} */ x) => Math.tanh(x),
  floor: (/** @type {Value} */ x) => Math.floor(x),
  ceil: (/** @type {Value} */ x) => Math.ceil(x),
  isfinite: (/** @type {Value} */ x) => Number.isFinite(x),
  prod: (/** @type {Value} */ source) => $reduce($mul, source, 1),
  /** The exact sum, rounded once (Shewchuk). @param {Value} source */
  fsum(source) {
    /** @type {number[]} */
    const partials = [];
    for (let x of $iter(source)) {
      let kept = 0;
      for (let y of partials) {
        if (Math.abs(x) < Math.abs(y)) [x, y] = [y, x];
        const high = x + y, low = y - (high - x);
        if (low) partials[kept++] = low;
        x = high;
      }
      partials[kept] = x;
      partials.length = kept + 1;
    }
    return partials.reduceRight((total, x) => total + x, 0);
  },
};

const $time = {
  monotonic: () => performance.now() / 1000,
  perf_counter: () => performance.now() / 1000,
  time: () => Date.now() / 1000,
};

const $json = {
  dumps: (/** @type {Value} */ x) => JSON.stringify($plain(x)),
  loads: (/** @type {string} */ text) => $from_plain(JSON.parse(text)),
};

const $sys = { setrecursionlimit: () => null, getrecursionlimit: () => 1_000_000 };
const $numba = { config: { DISABLE_JIT: true } };
const $unicodedata = { normalize: (/** @type {string} */ form, /** @type {string} */ text) => text.normalize(form) };

/** Values as JSON knows them. @param {Value} x @returns {Value} */
function $plain(x) {
  if (x === undefined || x === null) return null;
  if (typeof x === "bigint") return Number(x);
  if (Array.isArray(x)) return x.map($plain);
  if (x instanceof $Dict) return Object.fromEntries(x.items().map(([key, value]) => [$str(key), $plain(value)]));
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

class $Match {
  /** @param {RegExpExecArray} found */
  constructor(found) {
    this.$found = found;
  }

  /** @param {Value} i */
  __getitem__(i) {
    const value = typeof i === "string" ? this.$found.groups?.[i] : this.$found[i];
    return value === undefined ? null : value;
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
    return this.$found.index;
  }

  end() {
    return this.$found.index + this.$found[0].length;
  }

  __bool__() {
    return true;
  }
}

class $Pattern {
  /** @param {string} source */
  constructor(source) {
    this.$source = source;
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
    return this.$run(text, (source) => source, "uy", at);
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

  /** @param {Value} by @param {string} text */
  sub(by, text) {
    return $re.sub(this.$source, by, text);
  }
}

const $re = {
  ASCII: 256,
  compile: (/** @type {string} */ source) => new $Pattern(source.replaceAll("(?P<", "(?<")),
  match: (/** @type {string} */ source, /** @type {string} */ text) => new $Pattern(source).match(text),
  fullmatch: (/** @type {string} */ source, /** @type {string} */ text) => new $Pattern(source).fullmatch(text),
  search: (/** @type {string} */ source, /** @type {string} */ text) => new $Pattern(source).search(text),
  findall: (/** @type {string} */ source, /** @type {string} */ text) => new $Pattern(source).findall(text),
  /** @param {string} source @param {Value} by @param {string} text */
  sub(source, by, text) {
    return text.replaceAll(new RegExp(source, "gu"), (...given) => {
      if (typeof by === "string") return by;
      const groups = given.slice(0, given.findIndex((one) => typeof one === "number"));
      return $call(by, new $Match(/** @type {Value} */ (groups)));
    });
  },
};
