// SPDX-License-Identifier: GPL-3.0-or-later
// Attributes, methods as values, and the types of values.
"use strict";

/** The methods of values that are no objects of the program. @param {Value} x @returns {Record<string, Value> | null} */
function $methods_of(x) {
  if (typeof x === "string") return $string_methods;
  if (Array.isArray(x)) return $list_methods;
  return typeof x === "number" || typeof x === "bigint" || typeof x === "boolean" ? $number_methods : null;
}

/** A method that values of JavaScript may be asked for. @param {Value} x @param {string} name @param {Value[]} given */
function $m(x, name, ...given) {
  const methods = $methods_of(x);
  if (methods) {
    if (!Object.hasOwn(methods, name)) throw new $NotImplementedError(`'${$kind_name(x)}' object has no method '${name}'`);
    return methods[name](x, ...given);
  }
  if (name === "close" && !x.close) return x.return ? x.return() && null : null;
  if (x instanceof $StrEnum && !(name in x)) return $m(x.value, name, ...given);
  if (x instanceof $NamedTuple && !(name in x)) return $m([...x], name, ...given);
  return x[name](...given);
}

/** A method of a built-in class as a function. @param {string} name */
function $method(name) {
  return (/** @type {Value} */ x, /** @type {Value[]} */ ...given) => $m(x, name, ...given);
}

/** The value of an attribute; a method bound to its object. @param {Value} x @param {string} name */
function $attr(x, name) {
  if ($methods_of(x)) return (/** @type {Value[]} */ ...given) => $m(x, name, ...given);
  const value = x[name];
  if (value === undefined && typeof x === "function" && x.prototype?.[name]) {
    return (/** @type {Value} */ self, /** @type {Value[]} */ ...given) => x.prototype[name].apply(self, given);
  }
  if (typeof value !== "function" || Object.hasOwn(x, name) && typeof x !== "function") return value;
  const bound = value.bind(x);
  if (value.$p) bound.$p = value.$p;
  return bound;
}

/** @param {Value} x @param {string} name @param {Value} [otherwise] */
function $getattr(x, name, otherwise) {
  const value = x === null ? undefined : $attr(x, name);
  if (value !== undefined) return value;
  if (otherwise === undefined) throw new $TypeError(`no attribute ${name}`);
  return otherwise;
}

/** The value of a cached property, kept by the object. @param {Value} x @param {string} name @param {Value} value */
function $store(x, name, value) {
  Object.defineProperty(x, name, { value, writable: true, configurable: true, enumerable: true });
}

/** @param {Value} x */
function $type(x) {
  if (typeof x === "string") return $str;
  if (typeof x === "boolean") return $bool;
  if (typeof x === "bigint") return $int;
  if ($is_native(x, $RecursionError)) return $RecursionError;
  if (x instanceof Object && !Array.isArray(x)) return x.constructor;
  throw new $NotImplementedError("the type of a number, a list, a tuple or None");
}

/** The name of a class in Python. @param {Value} kind */
function $class_name(kind) {
  return kind.name.replaceAll(/^\$|(_of)?(\$\d+)?$/g, "");
}

/** The name of the type of a value, for messages. @param {Value} x */
function $kind_name(x) {
  if (x === null || x === undefined) return "NoneType";
  if (Array.isArray(x)) return "list";
  return typeof x === "number" ? "int" : $class_name($type(x));
}

/** @param {Value} x @param {Value[]} kinds @returns {boolean} */
function $isinstance(x, kinds) {
  return kinds.some((kind) => {
    if (kind === $int) return typeof x === "bigint" || typeof x === "boolean" || Number.isSafeInteger(x) || x instanceof $IntEnum;
    if (kind === $float) return typeof x === "number";
    if (kind === $str) return typeof x === "string" || x instanceof $StrEnum;
    if (kind === $bool) return typeof x === "boolean";
    if (kind === $list_of) return Array.isArray(x);
    if (kind === $tuple_of) return Array.isArray(x) || x instanceof $NamedTuple;
    if (kind === $dict_of) return x instanceof $Dict;
    if (kind === $set_of) return x instanceof $Set;
    if (Array.isArray(kind)) return $isinstance(x, kind);
    return x instanceof kind || $is_native(x, kind);
  });
}
