// SPDX-License-Identifier: GPL-3.0-or-later
// Enumerations. Each member exists once.
"use strict";

class $Enum {
  /** @param {string} name @param {Value} value */
  constructor(name, value) {
    this.name = name;
    this.value = value;
  }

  /** @param {Value} value @returns {Value} */
  static $of(value) {
    if (value instanceof this) return value;
    const found = /** @type {Value} */ (this).$by_value.get($key(value));
    if (found === undefined) throw new $ValueError(`${$repr(value)} is not a valid ${$class_name(this)}`);
    return found;
  }

  static __len__() {
    return /** @type {Value} */ (this).$members.length;
  }

  static [Symbol.iterator]() {
    return /** @type {Value} */ (this).$members[Symbol.iterator]();
  }

  /** @param {Value} x */
  static __contains__(x) {
    return x instanceof this;
  }

  /** @param {Value} name */
  static __getitem__(name) {
    return /** @type {Value} */ (this).$by_name.__getitem__(name);
  }

  __str__() {
    return `${$class_name(this.constructor)}.${this.name}`;
  }

  __repr__() {
    return `<${$class_name(this.constructor)}.${this.name}: ${$repr(this.value)}>`;
  }

  __bool__() {
    return true;
  }
}

class $IntEnum extends $Enum {
  valueOf() {
    return this.value;
  }

  toString() {
    return String(this.value);
  }

  __str__() {
    return String(this.value);
  }

  __bool__() {
    return this.value !== 0;
  }

  __key__() {
    return $key(this.value);
  }

  /** @param {Value} other */
  __eq__(other) {
    return $eq(this.value, other instanceof $IntEnum ? other.value : other);
  }

  bit_length() {
    return $m(this.value, "bit_length");
  }
}

class $StrEnum extends $Enum {
  toString() {
    return this.value;
  }

  __str__() {
    return this.value;
  }

  __bool__() {
    return this.value.length > 0;
  }

  __len__() {
    return $len(this.value);
  }

  [Symbol.iterator]() {
    return this.value[Symbol.iterator]();
  }

  /** @param {Value} i */
  __getitem__(i) {
    return $get(this.value, i);
  }

  /** @param {Value} part */
  __contains__(part) {
    return $in(String(part), this.value);
  }

  __key__() {
    return $key(this.value);
  }

  /** @param {Value} other */
  __eq__(other) {
    return (other instanceof $StrEnum ? other.value : other) === this.value;
  }
}

class $Flag extends $Enum {
  /** @param {Value} value @returns {Value} */
  static $of(value) {
    const kind = /** @type {Value} */ (this);
    if (value instanceof kind) return value;
    const found = kind.$by_value.get(value);
    if (found) return found;
    if (value & ~kind.$all || value < 0) throw new $ValueError(`invalid value ${value} of ${$class_name(kind)}`);
    const made = new kind(null, value);
    made.name = [...made].map((one) => one.name).join("|") || null;
    kind.$by_value.set(value, made);
    return made;
  }

  /** @param {$Flag} other @param {number} value @returns {Value} */
  $made(other, value) {
    if (other.constructor !== this.constructor) throw new $TypeError("flags of different classes");
    return /** @type {Value} */ (this.constructor).$of(value);
  }

  /** @param {$Flag} other */
  __or__(other) {
    return this.$made(other, this.value | other.value);
  }

  /** @param {$Flag} other */
  __and__(other) {
    return this.$made(other, this.value & other.value);
  }

  /** @param {$Flag} other */
  __xor__(other) {
    return this.$made(other, this.value ^ other.value);
  }

  __invert__() {
    return this.$made(this, /** @type {Value} */ (this.constructor).$all & ~this.value);
  }

  __str__() {
    return `${$class_name(this.constructor)}${this.name === null ? `(${this.value})` : `.${this.name}`}`;
  }

  __repr__() {
    return this.name === null ? `<${this.__str__().slice(0, -3)}: 0>` : `<${this.__str__()}: ${this.value}>`;
  }

  __bool__() {
    return this.value !== 0;
  }

  /** @param {$Flag} other */
  __contains__(other) {
    return this.$made(other, other.value & this.value) === other;
  }

  * [Symbol.iterator]() {
    for (const one of /** @type {Value} */ (this.constructor).$members) if (one.value & this.value) yield one;
  }

  __len__() {
    return [...this].length;
  }
}

/** @param {Value} kind @param {[string, Value][]} members */
function $enum_members(kind, members) {
  kind.$members = [];
  kind.$by_value = new Map();
  kind.$by_name = new $Dict();
  kind.$all = 0;
  for (const [name, value] of members) {
    const known = kind.$by_value.get($key(value));
    const member = known || new kind(name, value);
    Object.defineProperty(kind, name, { value: member });
    kind.$by_name.set_(name, member);
    if (known) continue;
    kind.$by_value.set($key(value), member);
    if (!(member instanceof $Flag)) kind.$members.push(member);
    else if (value >= 2 ** 31) throw new $NotImplementedError(`more than 31 flags of ${kind.name}`);
    else if (value !== 0 && (value & (value - 1)) === 0) {
      kind.$members.push(member);
      kind.$all |= value;
    }
  }
}
