// SPDX-License-Identifier: GPL-3.0-or-later
// Items and slices of sequences; taking values apart; what += and |= change in place.
"use strict";

/** @param {Value} x @param {Value} i @returns {Value} */
function $get(x, i) {
  if (Array.isArray(x)) {
    if (i instanceof Slice) return $sliced(x, i);
    const at = typeof i === "number" ? i : Number($n(i));
    const found = x[at < 0 ? at + x.length : at];
    if (found === undefined) throw new $IndexError("list index out of range");
    return found;
  }
  if (typeof x === "string") return $character(x, i);
  if (x.__getitem__) return x.__getitem__(i instanceof $IntEnum && !(x instanceof $Dict) ? i.value : i);
  throw new $TypeError(`'${$kind_name(x)}' object is not subscriptable`);
}

/** @param {string} text @param {Value} i @returns {string} */
function $character(text, i) {
  const units = $is_wide(text) ? [...text] : text;
  if (i instanceof Slice) {
    const found = $sliced(units, i);
    return Array.isArray(found) ? found.join("") : found;
  }
  const at = Number($n(i)), found = units[at < 0 ? at + units.length : at];
  if (found === undefined) throw new $IndexError("string index out of range");
  return found;
}

/** @param {Value} slice @param {number} length @returns {[number, number, number]} the first place, how many, the step */
function $places(slice, length) {
  const [start, stop, step] = [slice.start, slice.stop, slice.step].map((one) => one === null ? null : Number($n(one)));
  if (step === 0) throw new $ValueError("slice step cannot be zero");
  return new Slice(start, stop, step).indices(length);
}

/** @param {Value} x @param {Slice} slice @returns {Value} */
function $sliced(x, slice) {
  if (slice.step === null) {
    return x.slice(slice.start === null ? 0 : Number(slice.start), slice.stop === null ? undefined : Number(slice.stop));
  }
  const [start, size, step] = $places(slice, x.length);
  const found = Array.from({ length: size }, (_, number) => x[start + number * step]);
  return typeof x === "string" ? found.join("") : found;
}

/** The place of an index that has to exist. @param {Value[]} list @param {Value} i */
function $place(list, i) {
  const at = Number($n(i)), found = at < 0 ? at + list.length : at;
  if (found < 0 || found >= list.length) throw new $IndexError("list index out of range");
  return found;
}

/**
 * x[i] = value; the value comes first, as it is evaluated first.
 * @param {Value} value
 * @param {Value} x
 * @param {Value} i
 */
function $put(value, x, i) {
  if (!Array.isArray(x)) x.__setitem__(i instanceof $IntEnum && !(x instanceof $Dict) ? i.value : i, value);
  else if (i instanceof Slice) $put_slice(x, i, [...$iter(value)]);
  else x[$place(x, i)] = value;
}

/** @param {Value[]} list @param {Slice} slice @param {Value[]} values */
function $put_slice(list, slice, values) {
  const [start, size, step] = $places(slice, list.length);
  if (slice.step === null || step === 1) {
    const after = list.slice(start + size);
    list.length = start;
    for (const one of [...values, ...after]) list.push(one);
  } else if (values.length !== size) {
    throw new $ValueError(`attempt to assign sequence of size ${values.length} to extended slice of size ${size}`);
  } else {
    values.forEach((one, number) => {
      list[start + number * step] = one;
    });
  }
}

/** @param {Value} x @param {Value} i */
function $delete(x, i) {
  if (!Array.isArray(x)) x.__delitem__(i);
  else if (i instanceof Slice) {
    const [start, size, step] = $places(i, x.length);
    const gone = new Set(Array.from({ length: size }, (_, number) => start + number * step));
    const kept = x.filter((_, at) => !gone.has(at));
    x.length = 0;
    for (const one of kept) x.push(one);
  } else x.splice($place(x, i), 1);
}

/**
 * The values for so many targets.
 * @param {Value} x
 * @param {number} size
 * @returns {Value[]}
 */
function $unpack(x, size) {
  if (Array.isArray(x) && x.length === size) return x;
  /** @type {Value[]} */
  const items = [];
  for (const one of $iter(x)) {
    if (items.length === size) throw new $ValueError(`too many values to unpack (expected ${size})`);
    items.push(one);
  }
  if (items.length < size) throw new $ValueError(`not enough values to unpack (expected ${size}, got ${items.length})`);
  return items;
}

/**
 * The values for targets of which one, with a star, takes the rest as a list.
 * @param {Value} x
 * @param {number} before
 * @param {number} after
 * @returns {Value[]}
 */
function $unpack_rest(x, before, after) {
  const items = [...$iter(x)], last = items.length - after;
  if (last < before) throw new $ValueError(`not enough values to unpack (expected at least ${before + after}, got ${items.length})`);
  return [...items.slice(0, before), items.slice(before, last), ...items.slice(last)];
}

/** @param {Value} x @param {Value} item @returns {null} */
function $append(x, item) {
  if (Array.isArray(x)) x.push(item);
  else x.append(item);
  return null;
}

/** @param {Value} x @param {Value} items @returns {null} */
function $extend(x, items) {
  if (Array.isArray(x)) for (const one of [...$iter(items)]) x.push(one);
  else x.extend(items);
  return null;
}

/** Gives a set or a dictionary the contents of another. @param {Value} x @param {Value} other */
function $renew(x, other) {
  x.$map = other.$map;
}

/**
 * The value of a target after += and the like, where it is not known what the target is.
 * @param {(a: Value, b: Value) => Value} operator
 * @param {Value} a
 * @param {Value} b
 */
function $changed(operator, a, b) {
  if (Array.isArray(a)) throw new $NotImplementedError("a list or a tuple that an operator changes");
  if (a instanceof $Set || a instanceof $Dict) throw new $NotImplementedError("a set or a dictionary that an operator changes");
  const found = operator(a, b);
  if (!(a instanceof NdArray)) return found;
  a.assign(found);
  return a;
}
