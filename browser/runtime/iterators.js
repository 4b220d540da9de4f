// SPDX-License-Identifier: GPL-3.0-or-later
// functools and itertools.
"use strict";

/** @param {Value} function_ @returns {Value} */
function $cache(function_) {
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
  if (total === undefined) throw new $TypeError("reduce() of empty iterable with no initial value");
  return total;
}

/** @param {Value} source @param {Value} first @param {Value} [last] @param {Value} [step] */
function* $islice(source, first, last, step = 1) {
  const [start, stop] = last === undefined ? [0, first] : [first ?? 0, last];
  if (stop !== null && stop <= 0) return;
  let i = 0, next = start;
  for (const x of $iter(source)) {
    if (i === next) {
      yield x;
      next += step ?? 1;
    }
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
  if (size < 0) throw new $ValueError("r must be non-negative");
  if (size === 0) yield [];
  else {
    for (let i = 0; i <= items.length - size; i += 1) {
      for (const rest of $combinations(items.slice(i + 1), size - 1)) yield [items[i], ...rest];
    }
  }
}

/** @param {Value[]} sources @returns {Generator<Value[]>} */
function* $product(...sources) {
  const [first, ...others] = sources.map((source) => [...$iter(source)]);
  if (!sources.length) yield [];
  else {
    const rest = [...$product(...others)];
    for (const x of first) for (const more of rest) yield [x, ...more];
  }
}

/** @param {Value} function_ @param {Value} source */
function* $takewhile(function_, source) {
  for (const x of $iter(source)) {
    if (!$t($call(function_, x))) return;
    yield x;
  }
}

/** @param {Value} [start] @param {Value} [step] */
function* $count(start = 0, step = 1) {
  for (let i = start; ; i = $add(i, step)) yield i;
}
