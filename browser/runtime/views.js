// SPDX-License-Identifier: GPL-3.0-or-later
// What dictionaries show of themselves, as they change.
"use strict";

/** What a dictionary holds, as it changes: its values, its pairs. */
class $View {
  /** @param {$Dict} dict @param {(pair: [Value, Value]) => Value} pick */
  constructor(dict, pick) {
    this.$dict = dict;
    this.$pick = pick;
  }

  __len__() {
    return this.$dict.__len__();
  }

  * [Symbol.iterator]() {
    for (const pair of this.$dict.$map.values()) yield this.$pick(pair);
  }

  __repr__() {
    return `[${[...this].map($repr).join(", ")}]`;
  }
}

/** The keys of a dictionary, which are like a set. */
class $Keys extends $View {
  /** @param {Value} key */
  __contains__(key) {
    return this.$dict.__contains__(key);
  }

  /** @param {Value} other */
  isdisjoint(other) {
    return new $Set(this).isdisjoint(other);
  }
}
for (const name of ["__eq__", "__le__", "__lt__", "__ge__", "__gt__", "__or__", "__and__", "__sub__", "__xor__"]) {
  Object.defineProperty($Keys.prototype, name, {
    /** @this {$Keys} @param {Value} other */
    value(other) { return /** @type {Value} */ (new $Set(this))[name](other instanceof $Keys ? new $Set(other) : other); },
  });
}
