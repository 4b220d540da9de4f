// SPDX-License-Identifier: GPL-3.0-or-later
// Context managers.
"use strict";

/** @param {Value} manager */
function $enter(manager) {
  return manager.__enter__();
}

/** Whether the error is dealt with. @param {Value} manager @param {Value} error */
function $exit(manager, error) {
  return $t(manager.__exit__(error === null ? null : error.constructor, error, null) ?? false);
}

class $Managed {
  /** @param {Generator<Value>} generator */
  constructor(generator) {
    this.$generator = generator;
  }

  __enter__() {
    return this.$generator.next().value;
  }

  /** @param {Value} _kind @param {Value} error */
  __exit__(_kind, error) {
    if (error === null) {
      this.$generator.next();
      return false;
    }
    try {
      this.$generator.throw(error);
    } catch (thrown) {
      if (thrown === error) return false;
      throw thrown;
    }
    return true;
  }
}

/** @param {Generator<Value>} generator */
function $managed(generator) {
  return new $Managed(generator);
}

/** @param {Value} function_ */
function $contextmanager(function_) {
  return (/** @type {Value[]} */ ...given) => $managed(function_(...given));
}

class $nullcontext {
  /** @param {Value} [value] */
  constructor(value = null) {
    this.$value = value;
  }

  __enter__() {
    return this.$value;
  }

  __exit__() {
    return false;
  }
}

class $suppress {
  /** @param {Value[]} kinds */
  constructor(...kinds) {
    this.$kinds = kinds;
  }

  __enter__() {
    return null;
  }

  /** @param {Value} _kind @param {Value} error */
  __exit__(_kind, error) {
    return error !== null && $isinstance(error, this.$kinds);
  }
}

class $closing {
  /** @param {Value} thing */
  constructor(thing) {
    this.$thing = thing;
  }

  __enter__() {
    return this.$thing;
  }

  __exit__() {
    $m(this.$thing, "close");
    return false;
  }
}

class $ExitStack {
  constructor() {
    /** @type {Value[]} */
    this.$entered = [];
  }

  __enter__() {
    return this;
  }

  /** @param {Value} manager */
  enter_context(manager) {
    const value = $enter(manager);
    this.$entered.push(manager);
    return value;
  }

  /** @param {Value} _kind @param {Value} error */
  __exit__(_kind, error) {
    let left = error;
    for (const manager of this.$entered.reverse()) {
      try {
        if ($exit(manager, left)) left = null;
      } catch (thrown) {
        left = thrown;
      }
    }
    if (left !== null && left !== error) throw left;
    return left === null;
  }
}
for (const kind of [$nullcontext, $suppress, $closing, $ExitStack]) Object.assign(kind, { $new: true });
