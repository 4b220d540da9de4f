// SPDX-License-Identifier: GPL-3.0-or-later
// Sets, in the order of insertion; a frozenset is one that nothing changes.
"use strict";

class $Set {
  /** @param {Iterable<Value>} [items] */
  constructor(items = []) {
    /** @type {Map<Value, Value>} */
    this.$map = new Map();
    for (const item of items) this.add(item);
  }

  __len__() {
    return this.$map.size;
  }

  /** @param {Value} item */
  __contains__(item) {
    return this.$map.has($key(item));
  }

  [Symbol.iterator]() {
    return this.$map.values();
  }

  /** @param {Value} other @returns {boolean} */
  __eq__(other) {
    if (other instanceof $Keys) return this.__eq__(new $Set(other));
    return other instanceof $Set && other.$map.size === this.$map.size && this.issubset(other);
  }

  __key__() {
    return `\0{${[...this].map($part).sort().join()}}`;
  }

  /** @param {Value} item */
  add(item) {
    const key = $key(item);
    if (!this.$map.has(key)) this.$map.set(key, item);
    return null;
  }

  /** @param {Value} item */
  discard(item) {
    this.$map.delete($key(item));
    return null;
  }

  /** @param {Value} item */
  remove(item) {
    if (!this.$map.delete($key(item))) throw new $KeyError(item);
    return null;
  }

  pop() {
    if (!this.$map.size) throw new $KeyError("pop from an empty set");
    const [item] = this;
    this.discard(item);
    return item;
  }

  /** @param {Value[]} others */
  update(...others) {
    for (const other of others) for (const item of [...$iter(other)]) this.add(item);
    return null;
  }

  copy() {
    return new $Set(this);
  }

  clear() {
    this.$map.clear();
    return null;
  }

  /** @param {Value[]} others */
  union(...others) {
    const found = this.copy();
    found.update(...others);
    return found;
  }

  /** @param {Value[]} others */
  intersection(...others) {
    const theirs = others.map((other) => $set_of(other));
    return new $Set([...this].filter((item) => theirs.every((its) => its.__contains__(item))));
  }

  /** @param {Value[]} others */
  difference(...others) {
    const theirs = others.map((other) => $set_of(other));
    return new $Set([...this].filter((item) => !theirs.some((its) => its.__contains__(item))));
  }

  /** @param {Value} other */
  symmetric_difference(other) {
    const its = $set_of(other);
    return this.difference(its).union(its.difference(this));
  }

  /** @param {Value} other */
  isdisjoint(other) {
    return this.intersection(other).$map.size === 0;
  }

  /** @param {Value} other */
  issubset(other) {
    const its = $set_of(other);
    return [...this].every((item) => its.__contains__(item));
  }

  /** @param {Value} other */
  issuperset(other) {
    return $set_of(other).issubset(this);
  }

  /** The other operand, which has to be a set, too. @param {Value} other */
  $other(other) {
    if (!(other instanceof $Set || other instanceof $Keys)) throw new $TypeError("an operand that is no set");
    return other;
  }

  /** @param {Value} other */
  __or__(other) {
    return this.union(this.$other(other));
  }

  /** @param {Value} other */
  __and__(other) {
    return this.intersection(this.$other(other));
  }

  /** @param {Value} other */
  __sub__(other) {
    return this.difference(this.$other(other));
  }

  /** @param {Value} other */
  __xor__(other) {
    return this.symmetric_difference(this.$other(other));
  }

  /** @param {Value} other */
  __le__(other) {
    return this.issubset(this.$other(other));
  }

  /** @param {Value} other */
  __ge__(other) {
    return this.issuperset(this.$other(other));
  }

  /** @param {Value} other */
  __lt__(other) {
    return this.issubset(this.$other(other)) && !this.__eq__(other);
  }

  /** @param {Value} other */
  __gt__(other) {
    return this.issuperset(this.$other(other)) && !this.__eq__(other);
  }
}
Object.assign($Set, { $new: true });

/** @param {Value} [source] @returns {$Set} */
function $set_of(source = []) {
  return new $Set($iter(source));
}
