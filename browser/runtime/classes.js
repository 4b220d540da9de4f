// SPDX-License-Identifier: GPL-3.0-or-later
// Classes: what they are told of their parameters and values, and data classes.
"use strict";

/** @param {Value} kind @param {string[]} parameters */
function $describe(kind, parameters) {
  kind.$p = parameters;
}

/** @param {Value} kind @param {string} name @param {Value} value */
function $class_value(kind, name, value) {
  for (const owner of [kind, kind.prototype]) {
    Object.defineProperty(owner, name, { value, writable: true, configurable: true });
  }
}

/** How data classes with an order compare. @this {Value} @returns {Value[]} */
function $values_of_fields() {
  return this.$compared.map((/** @type {string} */ name) => this[name]);
}

/** @this {Value} @param {Value} other */
function $equal_fields(other) {
  return other !== null && typeof other === "object" && other.constructor === this.constructor &&
    this.$compared.every((/** @type {string} */ name) => $eq(this[name], other[name]));
}

/** @this {Value} */
function $key_of_fields() {
  return `\0${$id(this.constructor)}(${this.$compared.map((/** @type {string} */ name) => $part(this[name])).join()})`;
}

/** Fails as the key of a dictionary. @this {Value} */
function $no_key() {
  throw new $TypeError(`unhashable type: '${$class_name(this.constructor)}'`);
}

/** @this {Value} */
function $text_of_fields() {
  const parts = this.$shown.map((/** @type {string} */ name) => `${name}=${$repr(this[name])}`);
  return `${$class_name(this.constructor)}(${parts.join(", ")})`;
}

/**
 * Equality, keys and text of a data class.
 * @param {Value} kind
 * @param {string[]} fields
 * @param {string[]} parameters
 * @param {{compared: string[], shown: string[], has_eq: boolean, has_key: boolean, has_order: boolean}} options
 */
function $dataclass_fields(kind, fields, parameters, { compared, shown, has_eq, has_key, has_order }) {
  kind.$p = parameters;
  kind.$fields = fields;
  /** @type {Record<string, Value>} */
  const found = { $fields: fields, $compared: compared, $shown: shown, __repr__: $text_of_fields };
  if (has_order) Object.assign(found, { $is_ordered: true, $values: $values_of_fields });
  if (has_eq) Object.assign(found, { __eq__: $equal_fields, __key__: has_key ? $key_of_fields : $no_key });
  const own = Object.getOwnPropertyNames(kind.prototype);
  for (const [name, value] of Object.entries(found)) {
    if (!own.includes(name)) Object.defineProperty(kind.prototype, name, { value, writable: true });
  }
}

/** @param {Value} x @param {Record<string, Value>} changes */
function $replace(x, changes) {
  for (const name of Object.keys(changes)) {
    if (!x.constructor.$p.includes(name)) throw new $TypeError(`unexpected field '${name}'`);
  }
  return new x.constructor(...x.constructor.$p.map((/** @type {string} */ name) => name in changes ? changes[name] : x[name]));
}

/** @param {Value} x @returns {Value[]} */
function $fields(x) {
  return x.$fields.map((/** @type {string} */ name) => ({ name }));
}

/** A data class as dictionaries, all the way down. @param {Value} x @returns {Value} */
function $asdict(x) {
  if (Array.isArray(x)) return x.map($asdict);
  if (x instanceof $NamedTuple) return new /** @type {Value} */ (x.constructor)(...[...x].map($asdict));
  if (x instanceof $Dict) return $dict([...x.items()].map(([key, value]) => [$asdict(key), $asdict(value)]));
  if (x === null || typeof x !== "object" || !x.$fields) return x;
  return $dict(x.$fields.map((/** @type {string} */ name) => [name, $asdict(x[name])]));
}
