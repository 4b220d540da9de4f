// SPDX-License-Identifier: GPL-3.0-or-later
// Named tuples. Other tuples are arrays, as lists are.
"use strict";

class $NamedTuple extends $Object {
  * [Symbol.iterator]() {
    for (const name of /** @type {Value} */ (this).$fields) yield /** @type {Value} */ (this)[name];
  }

  __len__() {
    return /** @type {Value} */ (this).$fields.length;
  }

  /** @param {Value} i */
  __getitem__(i) {
    return $get([...this], i);
  }

  /** @param {Value} other */
  __eq__(other) {
    return (Array.isArray(other) || other instanceof $NamedTuple) && $eq([...this], [...other]);
  }

  __key__() {
    return $key([...this]);
  }

  /** @returns {Value} */
  __repr__() {
    const { $fields: names } = /** @type {Value} */ (this);
    const parts = names.map((/** @type {string} */ name) => `${name}=${$repr(/** @type {Value} */ (this)[name])}`);
    return `${$class_name(this.constructor)}(${parts.join(", ")})`;
  }

  _asdict() {
    return $dict(/** @type {Value} */ (this).$fields.map((/** @type {string} */ name) => [name, /** @type {Value} */ (this)[name]]));
  }

  /** @param {Value} other */
  __add__(other) {
    return $add([...this], other);
  }

  /** @param {Value} times */
  __mul__(times) {
    return $mul([...this], times);
  }
}

/** @param {Value} kind @param {string[]} fields @param {string[]} parameters */
function $namedtuple_fields(kind, fields, parameters) {
  kind.$p = parameters;
  kind.$fields = fields;
  Object.defineProperty(kind.prototype, "$fields", { value: fields });
}

/** @param {string} name @param {string[]} fields @returns {Value} a class */
function $namedtuple(name, fields) {
  const kind = class extends $NamedTuple {
    /** @param {Value[]} given */
    __init__(...given) {
      fields.forEach((field, i) => {
        /** @type {Value} */ (this)[field] = given[i];
      });
    }
  };
  Object.defineProperty(kind, "name", { value: name });
  $namedtuple_fields(kind, fields, fields);
  return kind;
}
