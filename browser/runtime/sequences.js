// SPDX-License-Identifier: GPL-3.0-or-later
// Built-in functions of iterables; keywords are an object, the last argument.
"use strict";

/**
 * The arguments, and the keywords after them.
 * @param {Value[]} given
 * @returns {[Value[], Record<string, Value>]}
 */
function $with_options(given) {
  const last = given[given.length - 1];
  const has = last !== null && typeof last === "object" && Object.getPrototypeOf(last) === Object.prototype;
  return has ? [given.slice(0, -1), last] : [given, {}];
}

/** @param {Value} function_ @param {Value[]} sources */
function* $map(function_, ...sources) {
  if (sources.length === 1) for (const x of $iter(sources[0])) yield $call(function_, x);
  else for (const some of $zip(...sources)) yield $call(function_, ...some);
}

/** @param {Value} function_ @param {Value} source */
function* $filter(function_, source) {
  for (const x of $iter(source)) if ($t(function_ === null ? x : $call(function_, x))) yield x;
}

/** @param {Value[]} given */
function* $enumerate(...given) {
  const [[source, first = 0], { start = first }] = $with_options(given);
  let i = start;
  for (const x of $iter(source)) {
    yield [i, x];
    i = $add(i, 1);
  }
}

/** @param {Value[]} given */
function* $zip(...given) {
  const [sources, { strict = false }] = $with_options(given);
  const iterators = sources.map($iterator);
  try {
    while (iterators.length) {
      const found = [];
      for (const iterator of iterators) {
        const { value, done } = iterator.next();
        if (done) {
          if (strict && (found.length || iterators.slice(1).some((one) => !one.next().done))) {
            throw new $ValueError("zip() arguments have different lengths");
          }
          return;
        }
        found.push(value);
      }
      yield found;
    }
  } finally {
    for (const iterator of iterators) iterator.return?.();
  }
}

/** @param {Value} x */
function* $reversed(x) {
  const items = Array.isArray(x) ? x : [...$iter(x)];
  for (let i = items.length - 1; i >= 0; i -= 1) yield items[i];
}

/** @param {Value[]} given */
function $sum(...given) {
  const [[source, first = 0], { start = first }] = $with_options(given);
  let total = start;
  for (const x of $iter(source)) total = $add(total, x);
  return total;
}

/** @param {Value} source */
function $any(source) {
  for (const x of $iter(source)) if ($t(x)) return true;
  return false;
}

/** @param {Value} source */
function $all(source) {
  for (const x of $iter(source)) if (!$t(x)) return false;
  return true;
}

/** @param {Value[]} given @param {(a: Value, b: Value) => boolean} precedes */
function $extreme(given, precedes) {
  const [values, { key = null, default: otherwise }] = $with_options(given);
  const source = values.length === 1 ? $iter(values[0]) : values;
  let best, rank, found = false;
  for (const x of source) {
    const its = key === null ? x : $call(key, x);
    if (!found || precedes(its, rank)) [best, rank, found] = [x, its, true];
  }
  if (found) return best;
  if (otherwise === undefined) throw new $ValueError("arg is an empty sequence");
  return otherwise;
}

/** @param {Value[]} given */
function $min(...given) {
  return $extreme(given, $lt);
}

/** @param {Value[]} given */
function $max(...given) {
  return $extreme(given, $gt);
}

/** @param {Value} source @param {{key?: Value, reverse?: Value}} [options] */
function $sorted(source, options) {
  const found = [...$iter(source)];
  $list_sort(found, options);
  return found;
}

/** @param {Value[]} list @param {{key?: Value, reverse?: Value}} [options] */
function $list_sort(list, { key = null, reverse = false } = {}) {
  const ranked = list.map((x) => [key === null ? x : $call(key, x), x]);
  const sign = $t(reverse) ? -1 : 1;
  ranked.sort((a, b) => sign * $compare(a[0], b[0]));
  for (let i = 0; i < list.length; i += 1) list[i] = ranked[i][1];
  return null;
}

/** @param {Value} [source] @returns {Value[]} */
function $list_of(source = []) {
  return [...$iter(source)];
}

/** @param {Value} [source] @returns {Value[]} */
function $tuple_of(source = []) {
  return [...$iter(source)];
}

/** Whether a text has characters of two code units. @param {string} text */
function $is_wide(text) {
  return /[\ud800-\udbff]/.test(text);
}

/** @param {Value} x @returns {number} */
function $len(x) {
  if (Array.isArray(x)) return x.length;
  if (typeof x === "string") return $is_wide(x) ? [...x].length : x.length;
  return x.__len__();
}

/**
 * @param {Value} x
 * @param {Value} container
 * @param {boolean} [isLast] whether nothing else holds the container: an iterator is closed then
 * @returns {boolean}
 */
function $in(x, container, isLast = false) {
  if (typeof container === "string") return container.includes(x);
  if (Array.isArray(container)) {
    if ((typeof x === "number" || typeof x === "string") && container.includes(x)) return true;
    for (const one of container) if ($eq(one, x)) return true;
    return false;
  }
  if (container.__contains__) return container.__contains__(x);
  for (const one of isLast ? $iter(container) : $kept(container)) if ($eq(one, x)) return true;
  return false;
}
