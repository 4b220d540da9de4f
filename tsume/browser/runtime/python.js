// What translated Python needs of its language: truth, numbers, comparison, containers, exceptions, classes.
//
// Integers are numbers up to 2 ** 53 - 1 and BigInt beyond, always in the smaller form, so that === compares them.
// Tuples and lists are arrays, None is null, strings are strings.
"use strict";

/** @typedef {any} Value */

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
    this.args = [];
    this.__init__(...given);
  }

  /** @param {Value[]} given */
  __init__(...given) {
    this.args = given;
    this.message = given.length ? $str(given[0]) : "";
  }

  get name() {
    return this.constructor.name.replaceAll(/^\$|\$\d+$/g, "");
  }

  __str__() {
    return this.message;
  }
}
class $Exception extends $BaseException {}
class $ArithmeticError extends $Exception {}
class $OverflowError extends $ArithmeticError {}
class $ZeroDivisionError extends $ArithmeticError {}
class $AssertionError extends $Exception {}
class $LookupError extends $Exception {}
class $KeyError extends $LookupError {
  __str__() {
    return $repr(this.args[0]);
  }
}
class $IndexError extends $LookupError {}
class $ValueError extends $Exception {}
class $TypeError extends $Exception {}
class $RuntimeError extends $Exception {}
class $NotImplementedError extends $RuntimeError {}
class $RecursionError extends $RuntimeError {}
class $StopIteration extends $Exception {}

/**
 * An exception from what follows ``raise``: an instance or a class.
 * @param {Value} error
 */
function $raised(error) {
  return typeof error === "function" ? new error() : error;
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

// --- truth and numbers --------------------------------------------------------------------------

/** @param {Value} x */
function $t(x) {
  switch (typeof x) {
    case "boolean": return x;
    case "number": return x !== 0;
    case "string": return x.length > 0;
    case "bigint": return x !== 0n;
    case "function": return true;
    case "undefined": return false;
    default:
      if (x === null) return false;
      if (Array.isArray(x)) return x.length > 0;
      if (x.__bool__) return x.__bool__();
      return x.__len__ ? x.__len__() > 0 : true;
  }
}

/**
 * An integer in its one form.
 * @param {bigint} x
 */
function $whole(x) {
  return x <= 9007199254740991n && x >= -9007199254740991n ? Number(x) : x;
}

/**
 * A number: of enumerations their value, of booleans 0 or 1.
 * @param {Value} x
 * @returns {number | bigint}
 */
function $n(x) {
  if (typeof x === "number" || typeof x === "bigint") return x;
  if (typeof x === "boolean") return x ? 1 : 0;
  if (x instanceof $IntEnum) return x.value;
  throw new $TypeError(`${$repr(x)} is not a number`);
}

/**
 * @param {Value} a
 * @param {Value} b
 * @param {(a: bigint, b: bigint) => bigint} big
 * @param {(a: number, b: number) => number} small
 * @returns {number | bigint}
 */
function $arithmetic(a, b, big, small) {
  const x = $n(a), y = $n(b);
  if (typeof x === "number" && typeof y === "number") {
    const found = small(x, y);
    if (Number.isSafeInteger(found) || !Number.isInteger(x) || !Number.isInteger(y)) return found;
  }
  if ((typeof x === "number" && !Number.isInteger(x)) || (typeof y === "number" && !Number.isInteger(y))) {
    return small(Number(x), Number(y));
  }
  return $whole(big(BigInt(x), BigInt(y)));
}

/** @param {Value} a @param {Value} b @returns {Value} */
function $add(a, b) {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (sum <= 9007199254740991 && sum >= -9007199254740991) return sum;
  }
  if (typeof a === "string") return a + b;
  if (Array.isArray(a)) return a.concat(b);
  if (a.__add__) return a.__add__(b);
  return $arithmetic(a, b, (x, y) => x + y, (x, y) => x + y);
}

/** @param {Value} a @param {Value} b @returns {Value} */
function $sub(a, b) {
  if (typeof a === "number" && typeof b === "number") {
    const found = a - b;
    if (found <= 9007199254740991 && found >= -9007199254740991) return found;
  }
  if (a.__sub__) return a.__sub__(b);
  return $arithmetic(a, b, (x, y) => x - y, (x, y) => x - y);
}

/** @param {Value} a @param {Value} b @returns {Value} */
function $mul(a, b) {
  if (typeof a === "number" && typeof b === "number") {
    const product = a * b;
    if (product <= 9007199254740991 && product >= -9007199254740991) return product;
  }
  if (typeof a === "string") return a.repeat(Math.max(0, Number($n(b))));
  if (Array.isArray(a)) return $repeated(a, Number($n(b)));
  if (Array.isArray(b)) return $repeated(b, Number($n(a)));
  if (typeof b === "string") return b.repeat(Math.max(0, Number($n(a))));
  if (a.__mul__) return a.__mul__(b);
  return $arithmetic(a, b, (x, y) => x * y, (x, y) => x * y);
}

/** @param {Value[]} items @param {number} times */
function $repeated(items, times) {
  const found = [];
  for (let i = 0; i < times; i += 1) found.push(...items);
  return found;
}

/** @param {Value} a @param {Value} b */
function $div(a, b) {
  if (a.__truediv__) return a.__truediv__(b);
  const divisor = Number($n(b));
  if (divisor === 0) throw new $ZeroDivisionError("division by zero");
  return Number($n(a)) / divisor;
}

/** @param {Value} a @param {Value} b */
function $floordiv(a, b) {
  const x = $n(a), y = $n(b);
  if (y === 0) throw new $ZeroDivisionError("integer division or modulo by zero");
  if (typeof x === "number" && typeof y === "number") return Math.floor(x / y);
  const p = BigInt(x), q = BigInt(y), found = p / q;
  return $whole(p % q !== 0n && (p < 0n) !== (q < 0n) ? found - 1n : found);
}

/** @param {Value} a @param {Value} b @returns {Value} */
function $mod(a, b) {
  if (typeof a === "string") throw new $NotImplementedError("% of strings");
  const x = $n(a), y = $n(b);
  if (y === 0) throw new $ZeroDivisionError("integer division or modulo by zero");
  if (typeof x === "number" && typeof y === "number") {
    const rest = x % y;
    return rest !== 0 && (rest < 0) !== (y < 0) ? rest + y : rest + 0;
  }
  const p = BigInt(x), q = BigInt(y), rest = p % q;
  return $whole(rest !== 0n && (rest < 0n) !== (q < 0n) ? rest + q : rest);
}

/** @param {Value} a @param {Value} b @returns {[Value, Value]} */
function $divmod(a, b) {
  return [$floordiv(a, b), $mod(a, b)];
}

/** @param {Value} a @param {Value} b */
function $pow(a, b) {
  const y = $n(b);
  if (typeof y === "number" && y < 0) return Number($n(a)) ** y;
  return $arithmetic(a, b, (x, z) => x ** z, (x, z) => x ** z);
}

/**
 * @param {Value} a
 * @param {Value} b
 * @param {(a: bigint, b: bigint) => bigint} big
 */
function $bits(a, b, big) {
  if (a === true || a === false) {
    if (b === true || b === false) return big(a ? 1n : 0n, b ? 1n : 0n) === 1n;
  }
  return $whole(big(BigInt($n(a)), BigInt($n(b))));
}

/** @param {Value} a @param {Value} b @returns {Value} */
function $and(a, b) {
  if (typeof a === "number" && typeof b === "number" && (a | 0) === a && (b | 0) === b) return a & b;
  return a.__and__ ? a.__and__(b) : $bits(a, b, (x, y) => x & y);
}

/** @param {Value} a @param {Value} b @returns {Value} */
function $or(a, b) {
  if (typeof a === "number" && typeof b === "number" && (a | 0) === a && (b | 0) === b) return a | b;
  return a.__or__ ? a.__or__(b) : $bits(a, b, (x, y) => x | y);
}

/** @param {Value} a @param {Value} b @returns {Value} */
function $xor(a, b) {
  if (typeof a === "number" && typeof b === "number" && (a | 0) === a && (b | 0) === b) return a ^ b;
  return a.__xor__ ? a.__xor__(b) : $bits(a, b, (x, y) => x ^ y);
}

/** @param {Value} a @param {Value} b */
function $shl(a, b) {
  return $whole(BigInt($n(a)) << BigInt($n(b)));
}

/** @param {Value} a @param {Value} b */
function $shr(a, b) {
  const x = $n(a), y = Number($n(b));
  if (typeof x === "number" && (x | 0) === x) return y > 31 ? (x < 0 ? -1 : 0) : x >> y;
  return $whole(BigInt(x) >> BigInt(y));
}

/** @param {Value} a */
function $invert(a) {
  return a.__invert__ ? a.__invert__() : $whole(~BigInt($n(a)));
}

/** @param {Value} a */
function $neg(a) {
  const x = $n(a);
  return typeof x === "number" ? 0 - x : -x;
}

/** @param {Value} a */
function $pos(a) {
  return a.__pos__ ? a.__pos__() : $n(a);
}

/** @param {Value} a */
function $abs(a) {
  const x = $n(a);
  return x < 0 ? $neg(x) : x;
}

/** @param {Value} [x] @returns {number | bigint} */
function $int(x = 0) {
  if (typeof x === "string") {
    if (!/^\s*[+-]?\d+\s*$/.test(x)) throw new $ValueError(`invalid literal for int() with base 10: ${$repr(x)}`);
    return $whole(BigInt(x.trim()));
  }
  const value = $n(x);
  return typeof value === "number" ? Math.trunc(value) : value;
}

/** @param {Value} [x] */
function $float(x = 0) {
  if (typeof x === "string") return Number(x);
  return Number($n(x));
}

/** @param {Value} [x] */
function $bool(x = false) {
  return $t(x);
}

/**
 * Rounds half to even, by the exact value.
 * @param {Value} x
 * @param {Value} [digits]
 */
function $round(x, digits) {
  const value = $n(x);
  if (typeof value === "bigint" || Number.isInteger(value)) return value;
  return Number($fixed(value, digits == null ? 0 : Number($n(digits))));
}

/**
 * A number with so many digits after the point, half to even.
 * @param {number} value
 * @param {number} digits
 */
function $fixed(value, digits) {
  const text = value.toFixed(digits);
  const exact = Math.abs(value).toFixed(Math.min(100, digits + 60));
  const rest = digits ? exact.slice(exact.indexOf(".") + 1 + digits) : exact.slice(exact.indexOf(".") + 1);
  if (!/^50*$/.test(rest)) return text;
  const kept = exact.slice(0, exact.length - rest.length).replace(/\.$/, "");
  const isEven = Number(kept[kept.length - 1]) % 2 === 0;
  return isEven ? (value < 0 ? "-" : "") + kept : text;
}

// --- comparison -----------------------------------------------------------------------------------

/** @param {Value} a @param {Value} b @returns {boolean} */
function $eq(a, b) {
  if (a === b) return true;
  if (a == null || b == null) return a == b;
  if (Array.isArray(a)) {
    if (!Array.isArray(b)) return b instanceof $NamedTuple && $eq(a, [...b]);
    if (a.length !== b.length) return false;
    for (let i = 0; i < a.length; i += 1) if (!$eq(a[i], b[i])) return false;
    return true;
  }
  if (typeof a === "object") {
    if (a.__eq__) return a.__eq__(b);
    if (typeof b === "object") return false;
  }
  if (typeof b === "object" && b.__eq__) return b.__eq__(a);
  if (typeof a === "boolean" || typeof b === "boolean") return Number(a) === Number(b) && typeof a !== "string" && typeof b !== "string";
  return false;
}

/** @param {Value} a @param {Value} b */
function $ne(a, b) {
  return !$eq(a, b);
}

/**
 * Less than 0, 0, or more.
 * @param {Value} a
 * @param {Value} b
 * @returns {number}
 */
function $compare(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0;
  if (a instanceof $Ordered && b instanceof $Ordered) return $compare(a.$values(), b.$values());
  if (a instanceof $NamedTuple) return $compare([...a], b);
  if (b instanceof $NamedTuple) return $compare(a, [...b]);
  if (Array.isArray(a) && Array.isArray(b)) {
    const shared = Math.min(a.length, b.length);
    for (let i = 0; i < shared; i += 1) if (!$eq(a[i], b[i])) return $compare(a[i], b[i]);
    return a.length - b.length;
  }
  if (a?.$compared && b?.$compared) return $compare(a.$compared(), b.$compared());
  const x = $n(a), y = $n(b);
  return x < y ? -1 : x > y ? 1 : 0;
}

/** @param {Value} a @param {Value} b @returns {Value} */
function $lt(a, b) {
  if (typeof a === "number" && typeof b === "number") return a < b;
  return a?.__lt__ ? a.__lt__(b) : $compare(a, b) < 0;
}

/** @param {Value} a @param {Value} b @returns {Value} */
function $le(a, b) {
  if (typeof a === "number" && typeof b === "number") return a <= b;
  return a?.__le__ ? a.__le__(b) : $compare(a, b) <= 0;
}

/** @param {Value} a @param {Value} b @returns {Value} */
function $gt(a, b) {
  if (typeof a === "number" && typeof b === "number") return a > b;
  return a?.__gt__ ? a.__gt__(b) : $compare(a, b) > 0;
}

/** @param {Value} a @param {Value} b @returns {Value} */
function $ge(a, b) {
  if (typeof a === "number" && typeof b === "number") return a >= b;
  return a?.__ge__ ? a.__ge__(b) : $compare(a, b) >= 0;
}

// --- keys of dictionaries and sets ----------------------------------------------------------------

let $identities = 0;
/** @type {WeakMap<object, number>} */
const $identity_of = new WeakMap();

/** @param {Value} x @returns {number} */
function $id(x) {
  let found = $identity_of.get(x);
  if (found === undefined) {
    $identities += 1;
    found = $identities;
    $identity_of.set(x, found);
  }
  return found;
}

/**
 * The same value for equal keys: what a Map compares.
 * @param {Value} x
 * @returns {Value}
 */
function $key(x) {
  switch (typeof x) {
    case "string": case "number": case "bigint": return x;
    case "boolean": return x ? 1 : 0;
    default:
      if (x === null || x === undefined) return null;
      if (Array.isArray(x)) return `\0(${x.map($part).join()})`;
      if (x.__key__) return x.__key__();
      return x;
  }
}

/** @param {Value} x */
function $part(x) {
  const key = $key(x);
  if (typeof key === "string") return key.startsWith("\0") ? key : `\0"${key.length}:${key}`;
  return typeof key === "object" && key !== null || typeof key === "function" ? `\0#${$id(key)}` : String(key);
}

/** @param {Value} x */
function $hash(x) {
  return $key(x);
}

// --- iteration ------------------------------------------------------------------------------------

/**
 * What for ... of goes through.
 * @param {Value} x
 * @returns {Iterable<Value>}
 */
function $iter(x) {
  if (Array.isArray(x) || typeof x === "string") return x;
  if (x.__iter__) return x.__iter__();
  if (x[Symbol.iterator]) return x;
  throw new $TypeError(`${$repr(x)} is not iterable`);
}

/** As $iter for an iterator that is used again after the loop: leaving the loop does not close it.
 * @param {Value} x
 * @returns {Iterable<Value>}
 */
function $kept(x) {
  if (Array.isArray(x) || typeof x === "string" || x.__len__) return $iter(x);
  const iterator = /** @type {Iterable<Value>} */ ($iter(x))[Symbol.iterator]();
  return { [Symbol.iterator]: () => ({ next: () => iterator.next() }) };
}

/** @param {Value} x @returns {Iterator<Value>} */
function $iterator(x) {
  if (Array.isArray(x) || typeof x === "string") return x[Symbol.iterator]();
  return /** @type {Iterable<Value>} */ ($iter(x))[Symbol.iterator]();
}

/** @param {Iterator<Value>} iterator @param {Value} [otherwise] */
function $next(iterator, otherwise) {
  const { value, done } = iterator.next();
  if (!done) return value;
  if (otherwise === undefined) throw new $StopIteration();
  return otherwise;
}

/**
 * The next of an iterator that nothing else holds: what it has open is closed.
 * @param {Value} source
 * @param {Value} [otherwise]
 */
function $first(source, otherwise) {
  const iterator = $iterator(source);
  const { value, done } = iterator.next();
  if (!done) {
    iterator.return?.();
    return value;
  }
  if (otherwise === undefined) throw new $StopIteration();
  return otherwise;
}

class $Range {
  /** @param {number} start @param {number} stop @param {number} step */
  constructor(start, stop, step) {
    this.start = start;
    this.stop = stop;
    this.step = step;
    this.size = Math.max(0, Math.ceil((stop - start) / step));
  }

  * [Symbol.iterator]() {
    for (let i = 0, at = this.start; i < this.size; i += 1, at += this.step) yield at;
  }

  __len__() {
    return this.size;
  }

  /** @param {Value} x */
  __contains__(x) {
    const at = (Number($n(x)) - this.start) / this.step;
    return Number.isInteger(at) && at >= 0 && at < this.size;
  }

  /** @param {Value} i @returns {Value} */
  __getitem__(i) {
    if (i instanceof Slice) return $get([...this], i);
    const at = i < 0 ? i + this.size : i;
    if (at < 0 || at >= this.size) throw new $IndexError("range object index out of range");
    return this.start + at * this.step;
  }

  /** @param {Value} x */
  index(x) {
    return (x - this.start) / this.step;
  }
}

/** @param {Value} a @param {Value} [b] @param {Value} [step] */
function $range(a, b, step = 1) {
  const first = Number($n(a));
  return b === undefined ? new $Range(0, first, 1) : new $Range(first, Number($n(b)), Number($n(step)));
}

/** @param {Value} function_ @param {Value[]} sources */
function* $map(function_, ...sources) {
  if (sources.length === 1) for (const x of $iter(sources[0])) yield $call(function_, x);
  else for (const some of $zip(...sources)) yield $call(function_, ...some);
}

/** @param {Value} function_ @param {Value} source */
function* $filter(function_, source) {
  for (const x of $iter(source)) if ($t(function_ === null ? x : $call(function_, x))) yield x;
}

/** @param {Value} source @param {Value} [start] */
function* $enumerate(source, start = 0) {
  let i = typeof start === "object" ? start.start : start;
  for (const x of $iter(source)) {
    yield [i, x];
    i += 1;
  }
}

/** @param {Value[]} given */
function* $zip(...given) {
  const last = given[given.length - 1];
  const has = last !== null && typeof last === "object" && Object.getPrototypeOf(last) === Object.prototype;
  const strict = has && last.strict;
  const iterators = (has ? given.slice(0, -1) : given).map($iterator);
  try {
    while (iterators.length) {
      const found = [];
      for (const iterator of iterators) {
        const { value, done } = iterator.next();
        if (done) {
          if (strict && (found.length || iterators.slice(1).some((one) => !one.next().done))) {
            throw new $ValueError("zip() arguments have different lengths");
          }
          return;
        }
        found.push(value);
      }
      yield found;
    }
  } finally {
    for (const iterator of iterators) iterator.return?.();
  }
}

/** @param {Value} x */
function* $reversed(x) {
  const items = Array.isArray(x) ? x : [...$iter(x)];
  for (let i = items.length - 1; i >= 0; i -= 1) yield items[i];
}

/** @param {Value} source @param {Value} [start] */
function $sum(source, start = 0) {
  let total = start !== null && typeof start === "object" && "start" in start ? start.start : start;
  for (const x of $iter(source)) total = $add(total, x);
  return total;
}

/** @param {Value} source */
function $any(source) {
  for (const x of $iter(source)) if ($t(x)) return true;
  return false;
}

/** @param {Value} source */
function $all(source) {
  for (const x of $iter(source)) if (!$t(x)) return false;
  return true;
}

/** @param {Value[]} given @param {number} sign */
function $extreme(given, sign) {
  const last = given[given.length - 1];
  const has = last !== null && typeof last === "object" && Object.getPrototypeOf(last) === Object.prototype;
  const { key = null, default: otherwise } = has ? last : {};
  const values = has ? given.slice(0, -1) : given;
  const source = values.length === 1 ? $iter(values[0]) : values;
  let best, rank, found = false;
  for (const x of source) {
    const its = key === null ? x : $call(key, x);
    if (!found || sign * $compare(its, rank) > 0) [best, rank, found] = [x, its, true];
  }
  if (found) return best;
  if (otherwise === undefined) throw new $ValueError("arg is an empty sequence");
  return otherwise;
}

/** @param {Value[]} given */
function $min(...given) {
  return $extreme(given, -1);
}

/** @param {Value[]} given */
function $max(...given) {
  return $extreme(given, 1);
}

/** @param {Value} source @param {{key?: Value, reverse?: Value}} [options] */
function $sorted(source, options) {
  return $list_sort([...$iter(source)], options);
}

/** @param {Value[]} list @param {{key?: Value, reverse?: Value}} [options] */
function $list_sort(list, { key = null, reverse = false } = {}) {
  const ranked = list.map((x) => [key === null ? x : $call(key, x), x]);
  const sign = reverse ? -1 : 1;
  ranked.sort((a, b) => sign * $compare(a[0], b[0]));
  for (let i = 0; i < list.length; i += 1) list[i] = ranked[i][1];
  return list;
}

/** @param {Value} [source] @returns {Value[]} */
function $list_of(source = []) {
  return [...$iter(source)];
}

/** @param {Value} x @returns {number} */
function $len(x) {
  return Array.isArray(x) || typeof x === "string" ? x.length : x.__len__();
}

/** @param {Value} x @param {Value} container @returns {boolean} */
function $in(x, container) {
  if (typeof container === "string") return container.includes(x);
  if (Array.isArray(container)) {
    if (typeof x === "number" || typeof x === "string") {
      if (container.includes(x)) return true;
      if (typeof x === "string") return false;
    }
    for (const one of container) if ($eq(one, x)) return true;
    return false;
  }
  if (container.__contains__) return container.__contains__(x);
  for (const one of $iter(container)) if ($eq(one, x)) return true;
  return false;
}

// --- items ----------------------------------------------------------------------------------------

/** @param {Value} x @param {Value} i @returns {Value} */
function $get(x, i) {
  if (Array.isArray(x) || typeof x === "string") {
    if (i instanceof Slice) return $sliced(x, i);
    const at = typeof i === "number" ? i : Number($n(i));
    const found = x[at < 0 ? at + x.length : at];
    if (found === undefined) throw new $IndexError("index out of range");
    return found;
  }
  if (x.__getitem__) return x.__getitem__(i instanceof $IntEnum && !(x instanceof $Dict) ? i.value : i);
  throw new $TypeError(`${$repr(x)} has no items`);
}

/** @param {Value} x @param {Slice} slice */
function $sliced(x, slice) {
  const step = slice.step === null ? 1 : slice.step;
  if (step === 1) return x.slice(slice.start === null ? 0 : slice.start, slice.stop === null ? undefined : slice.stop);
  const size = x.length, found = [];
  /** @param {Value} at @param {number} otherwise */
  const bound = (at, otherwise) => at === null ? otherwise
    : at < 0 ? Math.max(at + size, step < 0 ? -1 : 0) : Math.min(at, step < 0 ? size - 1 : size);
  const start = bound(slice.start, step < 0 ? size - 1 : 0), stop = bound(slice.stop, step < 0 ? -1 : size);
  for (let i = start; step < 0 ? i > stop : i < stop; i += step) found.push(x[i]);
  return typeof x === "string" ? found.join("") : found;
}

/** @param {Value} x @param {Value} i @param {Value} value */
function $put(x, i, value) {
  if (!Array.isArray(x)) x.__setitem__(i instanceof $IntEnum && !(x instanceof $Dict) ? i.value : i, value);
  else if (i instanceof Slice) {
    const start = i.start === null ? 0 : i.start < 0 ? i.start + x.length : i.start;
    const stop = i.stop === null ? x.length : i.stop < 0 ? i.stop + x.length : i.stop;
    x.splice(start, Math.max(0, stop - start), ...$iter(value));
  } else {
    const at = Number($n(i));
    x[at < 0 ? at + x.length : at] = value;
  }
}

/** @param {Value} x @param {Value} i */
function $delete(x, i) {
  if (Array.isArray(x)) {
    if (i instanceof Slice) $put(x, i, []);
    else x.splice(i < 0 ? i + x.length : i, 1);
  } else x.__delitem__(i);
}

/** @param {Value} x @param {number} first @param {number} last */
function $unpacked(x, first, last) {
  const items = [...$iter(x)];
  if (items.length < first + last) throw new $ValueError("not enough values to unpack");
  if (items.length === first && !last) return items;
  return [...items.slice(0, first), items.slice(first, items.length - last), ...items.slice(items.length - last)];
}

/** @param {Value} x @param {Value} item */
function $append(x, item) {
  if (Array.isArray(x)) x.push(item);
  else x.append(item);
}

/** @param {Value} x @param {Value} items */
function $extend(x, items) {
  if (Array.isArray(x)) for (const one of [...$iter(items)]) x.push(one);
  else x.extend(items);
}

class $Dict {
  constructor() {
    /** @type {Map<Value, [Value, Value]>} */
    this.$map = new Map();
  }

  __len__() {
    return this.$map.size;
  }

  /** @param {Value} key */
  __contains__(key) {
    return this.$map.has($key(key));
  }

  /** @param {Value} key @returns {Value} */
  __getitem__(key) {
    const found = this.$map.get($key(key));
    return found === undefined ? this.__missing__(key) : found[1];
  }

  /** @param {Value} key @returns {Value} */
  __missing__(key) {
    throw new $KeyError(key);
  }

  /** @param {Value} key @param {Value} value */
  __setitem__(key, value) {
    this.set_(key, value);
  }

  /** @param {Value} key @param {Value} value */
  set_(key, value) {
    const found = this.$map.get($key(key));
    if (found) found[1] = value;
    else this.$map.set($key(key), [key, value]);
  }

  /** @param {Value} key */
  __delitem__(key) {
    if (!this.$map.delete($key(key))) throw new $KeyError(key);
  }

  * [Symbol.iterator]() {
    for (const [key] of this.$map.values()) yield key;
  }

  /** @param {Value} other */
  __eq__(other) {
    if (!(other instanceof $Dict) || other.$map.size !== this.$map.size) return false;
    for (const [key, pair] of this.$map) {
      const its = other.$map.get(key);
      if (!its || !$eq(pair[1], its[1])) return false;
    }
    return true;
  }

  /** @param {Value} other */
  __or__(other) {
    return $dict([...this.items(), ...other.items()]);
  }

  /** @param {Value} key @param {Value} [otherwise] */
  get(key, otherwise = null) {
    const found = this.$map.get($key(key));
    return found === undefined ? otherwise : found[1];
  }

  keys() {
    return new $Set([...this]);
  }

  values() {
    return [...this.$map.values()].map((pair) => pair[1]);
  }

  items() {
    return [...this.$map.values()].map((pair) => [pair[0], pair[1]]);
  }

  /** @param {Value} key @param {Value} [otherwise] */
  setdefault(key, otherwise = null) {
    if (!this.__contains__(key)) this.set_(key, otherwise);
    return this.get(key);
  }

  /** @param {Value} key @param {Value} [otherwise] */
  pop(key, otherwise) {
    if (!this.__contains__(key) && otherwise !== undefined) return otherwise;
    const value = this.__getitem__(key);
    this.__delitem__(key);
    return value;
  }

  /** @param {Value} other */
  update(other) {
    for (const [key, value] of other instanceof $Dict ? other.items() : $iter(other)) this.set_(key, value);
  }

  copy() {
    return $dict(this.items());
  }

  clear() {
    this.$map.clear();
  }
}

class $defaultdict extends $Dict {
  /** @param {Value} factory */
  constructor(factory) {
    super();
    this.$factory = factory;
  }

  /** @param {Value} key */
  __missing__(key) {
    const value = $call(this.$factory);
    this.set_(key, value);
    return value;
  }
}

class $Counter extends $Dict {
  /** @param {Value} [source] */
  constructor(source = []) {
    super();
    this.update(source);
  }

  __missing__() {
    return 0;
  }

  /** @param {Value} source */
  update(source) {
    if (source instanceof $Dict) for (const [key, number] of source.items()) this.set_(key, $add(this.get(key, 0), number));
    else for (const key of $iter(source)) this.set_(key, this.get(key, 0) + 1);
  }

  total() {
    return $sum(this.values());
  }

  __pos__() {
    const found = new $Counter();
    for (const [key, number] of this.items()) if ($gt(number, 0)) found.set_(key, number);
    return found;
  }

  /** @param {$Counter} other */
  __add__(other) {
    const found = new $Counter(this);
    found.update(other);
    return found.__pos__();
  }

  /** @param {Value} [most] */
  most_common(most) {
    const found = $sorted(this.items(), { key: (/** @type {Value} */ pair) => -pair[1] });
    return most == null ? found : found.slice(0, most);
  }
}

/** @param {Iterable<Value>} pairs */
function $dict(pairs) {
  const found = new $Dict();
  for (const [key, value] of pairs) found.set_(key, value);
  return found;
}

/** @param {Value} [source] */
function $dict_of(source = []) {
  if (source instanceof $Dict) return $dict(source.items());
  return $dict(/** @type {Iterable<Value>} */ ($map((/** @type {Value} */ pair) => [...$iter(pair)], source)));
}
$dict_of.fromkeys = (/** @type {Value} */ keys, /** @type {Value} */ value = null) =>
  $dict([...$iter(keys)].map((key) => [key, value]));

/** @param {Value} x @returns {Value[]} */
function $items(x) {
  return x.items();
}

/** A dictionary with names as keys, as an object of JavaScript. @param {Value} x */
function $object(x) {
  return Object.fromEntries(x.items());
}

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

  /** @param {Value} other */
  __eq__(other) {
    return other instanceof $Set && other.$map.size === this.$map.size && this.issubset(other);
  }

  __key__() {
    return `\0{${[...this].map($part).sort().join()}}`;
  }

  /** @param {Value} item */
  add(item) {
    if (!this.$map.has($key(item))) this.$map.set($key(item), item);
  }

  /** @param {Value} item */
  discard(item) {
    this.$map.delete($key(item));
  }

  /** @param {Value} item */
  remove(item) {
    if (!this.$map.delete($key(item))) throw new $KeyError(item);
  }

  pop() {
    const [item] = this;
    this.discard(item);
    return item;
  }

  /** @param {Value[]} others */
  update(...others) {
    for (const other of others) for (const item of $iter(other)) this.add(item);
  }

  copy() {
    return new $Set(this);
  }

  clear() {
    this.$map.clear();
  }

  /** @param {Value[]} others */
  union(...others) {
    const found = this.copy();
    found.update(...others);
    return found;
  }

  /** @param {Value[]} others */
  intersection(...others) {
    const sets = others.map($set_of);
    return new $Set([...this].filter((item) => sets.every((its) => its.__contains__(item))));
  }

  /** @param {Value[]} others */
  difference(...others) {
    const sets = others.map($set_of);
    return new $Set([...this].filter((item) => !sets.some((its) => its.__contains__(item))));
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

  /** @param {Value} other */
  __or__(other) {
    return this.union(other);
  }

  /** @param {Value} other */
  __and__(other) {
    return this.intersection(other);
  }

  /** @param {Value} other */
  __sub__(other) {
    return this.difference(other);
  }

  /** @param {Value} other */
  __xor__(other) {
    return this.difference(other).union(other.difference(this));
  }

  /** @param {Value} other */
  __le__(other) {
    return this.issubset(other);
  }

  /** @param {Value} other */
  __ge__(other) {
    return this.issuperset(other);
  }

  /** @param {Value} other */
  __lt__(other) {
    return this.issubset(other) && !this.__eq__(other);
  }

  /** @param {Value} other */
  __gt__(other) {
    return this.issuperset(other) && !this.__eq__(other);
  }
}

/** @param {Value} [source] @returns {$Set} */
function $set_of(source = []) {
  return new $Set($iter(source));
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

  /** @param {number} i */
  __getitem__(i) {
    return this.$items[i < 0 ? this.$items.length + i : this.$first + i];
  }

  /** @param {Value} item */
  append(item) {
    this.$items.push(item);
  }

  /** @param {Value} items */
  extend(items) {
    for (const item of $iter(items)) this.append(item);
  }

  reverse() {
    this.$items = [...this].reverse();
    this.$first = 0;
  }

  popleft() {
    if (this.$first === this.$items.length) throw new $IndexError("pop from an empty deque");
    const item = this.$items[this.$first];
    this.$first += 1;
    if (this.$first > 1000) {
      this.$items = this.$items.slice(this.$first);
      this.$first = 0;
    }
    return item;
  }

  pop() {
    return this.$items.pop();
  }
}

// --- calls ----------------------------------------------------------------------------------------

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
  if (!parameters) throw new $TypeError(`${function_.name}: parameters are not known`);
  if (parameters.some((/** @type {string} */ one) => one.startsWith("*") && !one.startsWith("**"))) {
    return [...given, new $Keywords(named)];
  }
  const found = [...given], rest = new $Dict();
  for (const [name, value] of entries) {
    const place = parameters.indexOf(name);
    if (place >= 0) found[place] = value;
    else rest.set_(name, value);
  }
  const last = parameters[parameters.length - 1];
  if (last?.startsWith("**")) found[parameters.length - 1] = rest;
  else if (rest.__len__()) throw new $TypeError(`${function_.name}: unknown keywords ${[...rest].join()}`);
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
  const bound = (/** @type {Value[]} */ ...more) => $kw(function_, [...given, ...more], options);
  if (function_.$p) bound.$p = function_.$p.slice(given.length);
  return bound;
}

/** A function with the names of its parameters. @param {string[]} names @param {Value} function_ */
function $fn(names, function_) {
  function_.$p = names;
  return function_;
}

/** A method of values of JavaScript as a function. @param {string} name */
function $method(name) {
  return (/** @type {Value} */ x, /** @type {Value[]} */ ...given) => $m(x, name, ...given);
}

/** The value of an attribute; a method bound to its object. @param {Value} x @param {string} name */
function $attr(x, name) {
  const value = x[name];
  if (value === undefined && (Array.isArray(x) || typeof x === "string")) {
    return (/** @type {Value[]} */ ...given) => $m(x, name, ...given);
  }
  if (value === undefined && typeof x === "function" && x.prototype?.[name]) {
    return (/** @type {Value} */ self, /** @type {Value[]} */ ...given) => self[name](...given);
  }
  if (Array.isArray(x) && name === "append") return (/** @type {Value} */ item) => x.push(item);
  if (Array.isArray(x) && name === "index") return (/** @type {Value} */ item) => $m(x, "index", item);
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

/** @param {Value} x */
function $type(x) {
  return x.constructor;
}

/** The name of a class in Python. @param {Value} kind */
function $class_name(kind) {
  return kind.name.replace(/\$\d*$/, "");
}

/** @param {Value} x @param {Value[]} kinds */
function $isinstance(x, kinds) {
  return kinds.some((kind) => {
    if (kind === $int) return typeof x === "bigint" || typeof x === "boolean" || Number.isInteger(x);
    if (kind === $float) return typeof x === "number";
    if (kind === $str) return typeof x === "string";
    if (kind === $bool) return typeof x === "boolean";
    if (kind === $list_of) return Array.isArray(x);
    if (kind === $dict_of) return x instanceof $Dict;
    if (kind === $set_of) return x instanceof $Set;
    if (kind === $RecursionError && x instanceof RangeError) return true;
    return x instanceof kind;
  });
}

/** The value of a cached property, kept by the object. @param {Value} x @param {string} name @param {Value} value */
function $store(x, name, value) {
  Object.defineProperty(x, name, { value, writable: true, configurable: true, enumerable: true });
}

// --- classes --------------------------------------------------------------------------------------

Object.assign($Object, { $new: true });
Object.assign($BaseException, { $new: true });
for (const kind of [$Counter, $defaultdict, $deque, $Dict, $Set]) Object.assign(kind, { $new: true });

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

/** Stands for data classes with an order. */
class $Ordered {
  /** @param {Value} x */
  static [Symbol.hasInstance](x) {
    return x !== null && typeof x === "object" && x.$is_ordered === true;
  }

  /** @returns {Value[]} */
  $values() {
    return [];
  }
}

/**
 * Equality, keys and text of a data class.
 * @param {Value} kind
 * @param {string[]} fields
 * @param {string[]} parameters
 * @param {boolean} ordered
 */
function $dataclass_fields(kind, fields, parameters, ordered) {
  kind.$p = parameters;
  kind.$fields = fields;
  const own = Object.getOwnPropertyNames(kind.prototype);
  const values = /** @this {Value} */ function () {
    return fields.map((name) => this[name]);
  };
  Object.defineProperties(kind.prototype, {
    $values: { value: values }, $fields: { value: fields },
    ...ordered ? { $is_ordered: { value: true } } : {},
    ...own.includes("__eq__") ? {} : {
      __eq__: {
        /** @this {Value} @param {Value} other */
        value(other) {
          return other !== null && typeof other === "object" && other.constructor === this.constructor &&
            fields.every((name) => $eq(this[name], other[name]));
        },
      },
      __key__: {
        /** @this {Value} */
        value() {
          return `\0${kind.name}(${fields.map((name) => $part(this[name])).join()})`;
        },
      },
    },
  });
}

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

  _asdict() {
    return $dict(/** @type {Value} */ (this).$fields.map((/** @type {string} */ name) => [name, /** @type {Value} */ (this)[name]]));
  }

  /** @param {Value} other */
  __add__(other) {
    return [...this, ...$iter(other)];
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

/** @param {Value} x @param {Record<string, Value>} changes */
function $replace(x, changes) {
  const names = x.$fields;
  const values = names.map((/** @type {string} */ name) => name in changes ? changes[name] : x[name]);
  return new x.constructor(...values);
}

/** @param {Value} x @returns {Value[]} */
function $fields(x) {
  return x.$fields.map((/** @type {string} */ name) => ({ name }));
}

/** A data class as dictionaries, all the way down. @param {Value} x @returns {Value} */
function $asdict(x) {
  if (x instanceof $NamedTuple || Array.isArray(x)) return [...x].map($asdict);
  if (x !== null && typeof x === "object" && x.$fields) {
    return $dict(x.$fields.map((/** @type {string} */ name) => [name, $asdict(x[name])]));
  }
  if (x instanceof $Dict) return $dict(x.items().map(([key, value]) => [key, $asdict(value)]));
  return x;
}

class $Enum {
  /** @param {string} name @param {Value} value */
  constructor(name, value) {
    this.name = name;
    this.value = value;
  }

  /** @param {Value} value */
  static $of(value) {
    const found = /** @type {Value} */ (this).$by_value.get(value instanceof $Enum ? value.value : value);
    if (found === undefined) throw new $ValueError(`${$repr(value)} is not a valid ${this.name}`);
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

  /** @param {string} name */
  static __getitem__(name) {
    return /** @type {Value} */ (this)[name];
  }

  __str__() {
    return `${this.constructor.name.replace(/\$\d+$/, "")}.${this.name}`;
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
    return this.value;
  }

  /** @param {Value} other */
  __eq__(other) {
    return (other instanceof $IntEnum ? other.value : other) === this.value;
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

  __key__() {
    return this.value;
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
    let found = kind.$by_value.get(value);
    if (!found) {
      found = new kind(null, value);
      kind.$by_value.set(value, found);
    }
    return found;
  }

  /** @param {number} value @returns {Value} */
  $made(value) {
    return /** @type {Value} */ (this.constructor).$of(value);
  }

  /** @param {$Flag} other */
  __or__(other) {
    return this.$made(this.value | other.value);
  }

  /** @param {$Flag} other */
  __and__(other) {
    return this.$made(this.value & other.value);
  }

  /** @param {$Flag} other */
  __xor__(other) {
    return this.$made(this.value ^ other.value);
  }

  __invert__() {
    return this.$made(/** @type {Value} */ (this.constructor).$all & ~this.value);
  }

  __bool__() {
    return this.value !== 0;
  }

  /** @param {$Flag} other */
  __contains__(other) {
    return (other.value & this.value) === other.value;
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
  kind.$all = 0;
  for (const [name, value] of members) {
    const known = kind.$by_value.get(value);
    const member = known || new kind(name, value);
    Object.defineProperty(kind, name, { value: member });
    if (known) continue;
    kind.$by_value.set(value, member);
    if (!(member instanceof $Flag)) kind.$members.push(member);
    else if (value !== 0 && (value & (value - 1)) === 0) {
      kind.$members.push(member);
      kind.$all |= value;
    }
  }
}

// --- contexts -------------------------------------------------------------------------------------

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
