// SPDX-License-Identifier: GPL-3.0-or-later
// Iteration: what for ... of goes through, next, and range.
"use strict";

/**
 * What for ... of goes through.
 * @param {Value} x
 * @returns {Iterable<Value>}
 */
function $iter(x) {
  if (Array.isArray(x) || typeof x === "string") return x;
  if (x?.__iter__) return x.__iter__();
  if (x?.[Symbol.iterator]) return x;
  throw new $TypeError(`'${$kind_name(x)}' object is not iterable`);
}

/** Another way to an iterator, which has no method to close it. */
class $Kept {
  /** @param {Iterator<Value>} iterator */
  constructor(iterator) {
    this.$held = iterator;
  }

  next() {
    return this.$held.next();
  }

  [Symbol.iterator]() {
    return this;
  }
}

/**
 * As $iter for an iterator that the program still holds: who goes through it does not close it.
 * @param {Value} x
 * @returns {Iterable<Value>}
 */
function $kept(x) {
  if (Array.isArray(x) || typeof x === "string" || x?.__iter__ || typeof x?.next !== "function") return $iter(x);
  return new $Kept(x);
}

/** @param {Value} x @returns {Iterator<Value>} */
function $iterator(x) {
  return $iter(x)[Symbol.iterator]();
}

/** @param {Iterator<Value>} iterator @param {Value} [otherwise] */
function $next(iterator, otherwise) {
  const { value, done } = iterator.next();
  if (!done) return value;
  if (otherwise === undefined) throw new $StopIteration();
  return otherwise;
}

/**
 * The next of an iterator that nothing else holds: what it has open is closed.
 * @param {Value} source
 * @param {Value} [otherwise]
 */
function $first(source, otherwise) {
  const iterator = $iterator(source);
  const { value, done } = iterator.next();
  if (!done) {
    iterator.return?.();
    return value;
  }
  if (otherwise === undefined) throw new $StopIteration();
  return otherwise;
}

class $Range {
  /** @param {number} start @param {number} stop @param {number} step */
  constructor(start, stop, step) {
    if (step === 0) throw new $ValueError("range() arg 3 must not be zero");
    this.start = start;
    this.stop = stop;
    this.step = step;
    this.size = Math.max(0, Math.ceil((stop - start) / step));
  }

  * [Symbol.iterator]() {
    for (let i = 0, at = this.start; i < this.size; i += 1, at += this.step) yield at;
  }

  __len__() {
    return this.size;
  }

  /** @param {Value} x */
  __contains__(x) {
    return typeof x !== "string" && x !== null && !Array.isArray(x) && this.$place(x) >= 0;
  }

  /** @param {Value} x */
  $place(x) {
    const at = (Number($n(x)) - this.start) / this.step;
    return Number.isInteger(at) && at >= 0 && at < this.size ? at : -1;
  }

  /** @param {Value} i @returns {Value} */
  __getitem__(i) {
    if (i instanceof Slice) return $get([...this], i);
    const place = Number($n(i)), at = place < 0 ? place + this.size : place;
    if (at < 0 || at >= this.size) throw new $IndexError("range object index out of range");
    return this.start + at * this.step;
  }

  /** @param {Value} other */
  __eq__(other) {
    return other instanceof $Range && $eq([...this], [...other]);
  }

  __key__() {
    return `\0range${[...this].join()}`;
  }

  /** @param {Value} x */
  index(x) {
    const at = this.$place(x);
    if (at < 0) throw new $ValueError(`${$repr(x)} is not in range`);
    return at;
  }
}

/** @param {Value} a @param {Value} [b] @param {Value} [step] */
function $range(a, b, step = 1) {
  const first = Number($n(a));
  return b === undefined ? new $Range(0, first, 1) : new $Range(first, Number($n(b)), Number($n(step)));
}
