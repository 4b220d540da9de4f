// SPDX-License-Identifier: GPL-3.0-or-later
// Dictionaries, in the order of insertion, and their kinds.
"use strict";

class $Dict {
  constructor() {
    /** @type {Map<Value, [Value, Value]>} */
    this.$map = new Map();
  }

  __len__() {
    return this.$map.size;
  }

  /** @param {Value} key */
  __contains__(key) {
    return this.$map.has($key(key));
  }

  /** @param {Value} key @returns {Value} */
  __getitem__(key) {
    const found = this.$map.get($key(key));
    return found === undefined ? this.__missing__(key) : found[1];
  }

  /** @param {Value} key @returns {Value} */
  __missing__(key) {
    throw new $KeyError(key);
  }

  /** @param {Value} key @param {Value} value */
  __setitem__(key, value) {
    this.set_(key, value);
  }

  /** @param {Value} key @param {Value} value */
  set_(key, value) {
    const its = $key(key), found = this.$map.get(its);
    if (found) found[1] = value;
    else this.$map.set(its, [key, value]);
  }

  /** @param {Value} key */
  __delitem__(key) {
    if (!this.$map.delete($key(key))) throw new $KeyError(key);
  }

  * [Symbol.iterator]() {
    for (const [key] of this.$map.values()) yield key;
  }

  /** @param {Value} other */
  __eq__(other) {
    if (!(other instanceof $Dict) || other.$map.size !== this.$map.size) return false;
    for (const [key, pair] of this.$map) {
      const its = other.$map.get(key);
      if (!its || !$eq(pair[1], its[1])) return false;
    }
    return true;
  }

  /** @param {Value} other @returns {Value} */
  __or__(other) {
    if (!(other instanceof $Dict)) throw new $TypeError("| of a dict and something else");
    const found = this.copy();
    found.update(other);
    return found;
  }

  /** @param {Value} key @param {Value} [otherwise] */
  get(key, otherwise = null) {
    const found = this.$map.get($key(key));
    return found === undefined ? otherwise : found[1];
  }

  keys() {
    return new $Keys(this, ([key]) => key);
  }

  values() {
    return new $View(this, (pair) => pair[1]);
  }

  items() {
    return new $View(this, ([key, value]) => [key, value]);
  }

  /** @param {Value} key @param {Value} [otherwise] */
  setdefault(key, otherwise = null) {
    if (!this.__contains__(key)) this.set_(key, otherwise);
    return this.get(key);
  }

  /** @param {Value} key @param {Value} [otherwise] */
  pop(key, otherwise) {
    const its = $key(key), found = this.$map.get(its);
    this.$map.delete(its);
    if (found) return found[1];
    if (otherwise === undefined) throw new $KeyError(key);
    return otherwise;
  }

  /** @param {Value} [other] @returns {Value} */
  update(other = []) {
    for (const pair of other instanceof $Dict ? other.items() : $iter(other)) {
      const [key, value] = $unpack(pair, 2);
      this.set_(key, value);
    }
    return null;
  }

  /** @returns {Value} */
  copy() {
    return $dict(this.items());
  }

  clear() {
    this.$map.clear();
    return null;
  }
}

class $defaultdict extends $Dict {
  /** @param {Value} [factory] @param {Value} [source] */
  constructor(factory = null, source = []) {
    super();
    this.$factory = factory;
    this.update(source);
  }

  /** @param {Value} key */
  __missing__(key) {
    if (this.$factory === null) throw new $KeyError(key);
    const value = $call(this.$factory);
    this.set_(key, value);
    return value;
  }

  copy() {
    return new $defaultdict(this.$factory, this);
  }
}

/** @param {Iterable<Value>} pairs */
function $dict(pairs) {
  const found = new $Dict();
  for (const [key, value] of pairs) found.set_(key, value);
  return found;
}

/** @param {Value} [source] */
function $dict_of(source = []) {
  const found = new $Dict();
  found.update(source);
  return found;
}
$dict_of.fromkeys = (/** @type {Value} */ keys, /** @type {Value} */ value = null) =>
  $dict([...$iter(keys)].map((key) => [key, value]));

/** The pairs of a dictionary, for ** before it. @param {Value} x @returns {Iterable<Value>} */
function $items(x) {
  return x.items();
}

/** A dictionary with names as keys, as an object of JavaScript. @param {Value} x */
function $object(x) {
  return Object.fromEntries(x.items());
}

for (const kind of [$Dict, $defaultdict]) Object.assign(kind, { $new: true });
