// SPDX-License-Identifier: GPL-3.0-or-later
// The root of translated classes, and the exceptions that Python has built in.
"use strict";

/** @typedef {any} Value a value of the translated program */

class $Object {
  /** @param {Value[]} given */
  constructor(...given) {
    this.__init__(...given);
  }

  /** @param {Value[]} _given */
  __init__(..._given) {}
}

class $BaseException extends Error {
  /** @param {Value[]} given */
  constructor(...given) {
    super();
    /** @type {Value[]} */
    this.args = given;
    this.__init__(...given);
  }

  /** @param {Value[]} given */
  __init__(...given) {
    this.args = given;
  }

  __str__() {
    if (this.args.length > 1) return `(${this.args.map($repr).join(", ")})`;
    return this.args.length ? $str(this.args[0]) : "";
  }

  __repr__() {
    return `${$class_name(this.constructor)}(${this.args.map($repr).join(", ")})`;
  }
}
// An exception of the program may have fields of these names.
Object.defineProperties($BaseException.prototype, {
  message: {
    /** @this {Value} */
    get() { return $str(this); },
    /** @this {Value} @param {Value} value */
    set(value) { $store(this, "message", value); },
  },
  name: {
    /** @this {Value} */
    get() { return $class_name(this.constructor); },
    /** @this {Value} @param {Value} value */
    set(value) { $store(this, "name", value); },
  },
});

class $Exception extends $BaseException {}
class $ArithmeticError extends $Exception {}
class $OverflowError extends $ArithmeticError {}
class $ZeroDivisionError extends $ArithmeticError {}
class $AssertionError extends $Exception {}
class $LookupError extends $Exception {}
class $KeyError extends $LookupError {
  __str__() {
    return this.args.length === 1 ? $repr(this.args[0]) : super.__str__();
  }
}
class $IndexError extends $LookupError {}
class $ValueError extends $Exception {}
class $TypeError extends $Exception {}
class $RuntimeError extends $Exception {}
class $NotImplementedError extends $RuntimeError {}
class $RecursionError extends $RuntimeError {}
class $StopIteration extends $Exception {}

Object.assign($Object, { $new: true });
Object.assign($BaseException, { $new: true });

/**
 * An exception from what follows ``raise``: an instance or a class.
 * @param {Value} error
 */
function $raised(error) {
  return typeof error === "function" ? new error() : error;
}

/**
 * Whether an error of JavaScript is one that Python knows: of types, or of the depth of calls.
 * @param {Value} error
 * @param {Value} kind
 */
function $is_native(error, kind) {
  if (!(error instanceof Error) || error instanceof $BaseException) return false;
  if (kind === $Exception || kind === $BaseException) return true;
  if (error instanceof TypeError) return kind === $TypeError;
  const isDeep = /call stack|too much recursion/i.test(error.message);
  return isDeep && (kind === $RecursionError || kind === $RuntimeError);
}

/**
 * A value that the program refers to and never uses.
 * @param {string} name
 * @returns {Value}
 */
function $absent(name) {
  const refuse = () => {
    throw new $NotImplementedError(`${name} is not part of this program`);
  };
  return new Proxy(function () {}, { apply: refuse, construct: refuse, get: refuse });
}
