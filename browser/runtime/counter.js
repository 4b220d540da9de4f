// SPDX-License-Identifier: GPL-3.0-or-later
// Counters, and queues with two ends.
"use strict";

class $Counter extends $Dict {
  /** @param {Value} [source] */
  constructor(source = []) {
    super();
    this.update(source);
  }

  __missing__() {
    return 0;
  }

  /** @param {Value} other */
  __eq__(other) {
    if (!(other instanceof $Counter)) return super.__eq__(other);
    return [...this, ...other].every((key) => $eq(this.get(key, 0), other.get(key, 0)));
  }

  /** @param {Value} [source] */
  update(source = []) {
    const pairs = source instanceof $Dict ? source.items() : $map((/** @type {Value} */ key) => [key, 1], source);
    for (const [key, number] of pairs) this.set_(key, $add(this.get(key, 0), number));
    return null;
  }

  copy() {
    return new $Counter(this);
  }

  total() {
    return $sum(this.values());
  }

  /** @param {Value} [most] */
  most_common(most = null) {
    const found = $sorted(this.items(), { key: (/** @type {Value} */ pair) => pair[1], reverse: true });
    return most === null ? found : found.slice(0, most);
  }

  /** What is more than none of a number found for each key. @param {$Counter} other @param {(a: Value, b: Value) => Value} found */
  $combined(other, found) {
    const counts = new $Counter();
    for (const key of new $Set([...this, ...other])) {
      const number = found(this.get(key, 0), other.get(key, 0));
      if ($gt(number, 0)) counts.set_(key, number);
    }
    return counts;
  }

  __pos__() {
    return this.$combined(new $Counter(), $add);
  }

  /** @param {$Counter} other */
  __add__(other) {
    return this.$combined(other, $add);
  }

  /** @param {$Counter} other */
  __sub__(other) {
    return this.$combined(other, $sub);
  }

  /** @param {$Counter} other */
  __or__(other) {
    return this.$combined(other, $max);
  }

  /** @param {$Counter} other */
  __and__(other) {
    return this.$combined(other, $min);
  }
}

class $deque {
  /** @param {Value} [source] */
  constructor(source = []) {
    this.$items = [...$iter(source)];
    this.$first = 0;
  }

  __len__() {
    return this.$items.length - this.$first;
  }

  * [Symbol.iterator]() {
    for (let i = this.$first; i < this.$items.length; i += 1) yield this.$items[i];
  }

  /** @param {Value} other */
  __eq__(other) {
    return other instanceof $deque && $eq([...this], [...other]);
  }

  /** @param {Value} i */
  $at(i) {
    const at = Number($n(i)), found = at < 0 ? this.$items.length + at : this.$first + at;
    if (found < this.$first || found >= this.$items.length) throw new $IndexError("deque index out of range");
    return found;
  }

  /** @param {Value} i */
  __getitem__(i) {
    return this.$items[this.$at(i)];
  }

  /** @param {Value} i @param {Value} value */
  __setitem__(i, value) {
    this.$items[this.$at(i)] = value;
  }

  /** @param {Value} item */
  append(item) {
    this.$items.push(item);
    return null;
  }

  /** @param {Value} item */
  appendleft(item) {
    this.$items.splice(0, this.$first, item);
    this.$first = 0;
    return null;
  }

  /** @param {Value} items */
  extend(items) {
    for (const item of [...$iter(items)]) this.append(item);
    return null;
  }

  reverse() {
    this.$items = [...this].reverse();
    this.$first = 0;
    return null;
  }

  clear() {
    this.$items = [];
    this.$first = 0;
    return null;
  }

  popleft() {
    const item = this.$items[this.$at(0)];
    this.$first += 1;
    if (this.$first > 1000 && 2 * this.$first > this.$items.length) {
      this.$items = this.$items.slice(this.$first);
      this.$first = 0;
    }
    return item;
  }

  pop() {
    this.$at(-1);
    return this.$items.pop();
  }
}

for (const kind of [$Counter, $deque]) Object.assign(kind, { $new: true });
