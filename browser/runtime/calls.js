// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of what is known only at run time; keywords find their places by the names of the parameters.
"use strict";

/** Keywords of a function that takes any number of arguments. */
class $Keywords {
  /** @param {Record<string, Value>} values */
  constructor(values) {
    this.values = values;
  }
}

/** @param {Value[]} given @returns {$Dict} the keywords, taken from the end of the arguments */
function $taken_keywords(given) {
  const last = given[given.length - 1];
  return $dict(last instanceof $Keywords ? Object.entries(/** @type {$Keywords} */ (given.pop()).values) : []);
}

/** @param {Value} function_ @param {Value[]} given */
function $call(function_, ...given) {
  if (typeof function_ !== "function") return function_.__call__(...given);
  if (function_.$of) return function_.$of(...given);
  return function_.$new ? new function_(...given) : function_(...given);
}

/**
 * The arguments in the order of the parameters.
 * @param {Value} function_
 * @param {Value[]} given
 * @param {Record<string, Value>} named
 */
function $arranged(function_, given, named) {
  const entries = Object.entries(named);
  if (!entries.length) return given;
  const parameters = function_.$p;
  if (!parameters) throw new $NotImplementedError(`keywords of ${function_.name}, whose parameters are not known`);
  if (parameters.some((/** @type {string} */ one) => one.startsWith("*") && !one.startsWith("**"))) {
    return [...given, new $Keywords(named)];
  }
  const found = [...given], rest = new $Dict();
  for (const [name, value] of entries) {
    const place = parameters.indexOf(name);
    if (place >= 0 && place < given.length) throw new $TypeError(`got multiple values for argument '${name}'`);
    if (place >= 0) found[place] = value;
    else rest.set_(name, value);
  }
  const last = parameters[parameters.length - 1];
  if (last?.startsWith("**")) found[parameters.length - 1] = rest;
  else if (rest.__len__()) throw new $TypeError(`got unexpected keyword arguments ${[...rest].join()}`);
  return found;
}

/** @param {Value} function_ @param {Value[]} given @param {Record<string, Value>} named */
function $kw(function_, given, named) {
  if (typeof function_ !== "function") return $kwm(function_, "__call__", given, named);
  return $call(function_, ...$arranged(function_, given, named));
}

/** @param {Value} x @param {string} name @param {Value[]} given @param {Record<string, Value>} named */
function $kwm(x, name, given, named) {
  return x[name](...$arranged(x[name], given, named));
}

/** @param {Value} function_ @param {Value[]} given @param {Record<string, Value> | $Dict} named */
function $partial(function_, given, named) {
  const options = named instanceof $Dict ? $object(named) : named;
  const bound = (/** @type {Value[]} */ ...more) => {
    const last = more[more.length - 1];
    if (!(last instanceof $Keywords)) return $kw(function_, [...given, ...more], options);
    return $kw(function_, [...given, ...more.slice(0, -1)], { ...options, ...last.values });
  };
  bound.$p = ["*", "**"];
  return bound;
}

/** A function with the names of its parameters. @param {string[]} names @param {Value} function_ */
function $fn(names, function_) {
  function_.$p = names;
  return function_;
}
