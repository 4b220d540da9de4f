// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
// The operators of NumPy that the solver uses, and what makes arrays.

/** @param {any} shape @returns {number[]} */
function shapeOf(shape) {
  return Array.isArray(shape) ? shape.map(Number) : [Number(shape)];
}

/** @param {any} values @returns {number[]} the lengths of nested lists */
function nestedShape(values) {
  if (values instanceof NdArray) return values.shape;
  if (!isSequence(values)) return [];
  const list = [...values];
  return [list.length, ...(list.length ? nestedShape(list[0]) : [])];
}

/**
 * An array of values for each pair of elements.
 * @param {any} left @param {any} right an array or a scalar, as the other @param {DataType | null} dtype
 * @param {(left: any, right: any) => any} operation @returns {NdArray}
 */
function elementwise(left, right, dtype, operation) {
  const one = left instanceof NdArray ? left : null;
  const other = right instanceof NdArray ? right : null;
  const first = /** @type {NdArray} */ (one ?? other);
  if (one && other && String(one.shape) !== String(other.shape)) {
    throw new RangeError(`operands of shapes (${one.shape}) and (${other.shape})`);
  }
  const lefts = one?.reshapedValues();
  const rights = other?.reshapedValues();
  const isFraction = [left, right].some((operand) => typeof operand === "number" && !Number.isInteger(operand));
  const common = isFraction && first.dtype.kind !== "f" ? SCALAR_TYPES.float64 : commonType(one, other);
  const found = newArray(first.shape, dtype ?? common);
  const flat = found.reshape(-1);
  for (let index = 0; index < flat.shape[0]; index++) {
    flat.__setitem__(index, operation(lefts ? lefts[index] : left, rights ? rights[index] : right));
  }
  return found;
}

/**
 * The nearest number with 10 bits after the first one, as float16 has, or with 23, as float32.
 * @param {number} value @param {number} bits @returns {number}
 */
function rounded(value, bits) {
  if (bits > 10) return Math.fround(value);
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value);
  const exponent = Math.max(((view.getUint16(0) >> 7) & 255) - 127, -14);
  const unit = 2 ** (exponent - bits);
  return Math.round(value / unit) * unit;
}

/** @param {NdArray | null} one @param {NdArray | null} other @returns {DataType} */
function commonType(one, other) {
  const [first, second] = [one?.dtype ?? other?.dtype, other?.dtype ?? one?.dtype];
  if (!first || !second || first === second) return /** @type {DataType} */ (first);
  if (first.kind === "f" || second.kind === "f") return SCALAR_TYPES.float64;
  if (first.kind === second.kind) return first.itemsize > second.itemsize ? first : second;
  const [signed, unsigned] = first.kind === "i" ? [first, second] : [second, first];
  return signed.itemsize > unsigned.itemsize ? signed : SCALAR_TYPES.int64;
}

/**
 * An operation on integers, exact also beyond 2 ** 53, and for bits beyond 32.
 * @param {(left: any, right: any) => any} operation on two numbers or on two BigInts
 * @param {(value: number) => boolean} fits whether a number may be an operand
 * @returns {(left: any, right: any) => any}
 */
function exactly(operation, fits) {
  return (left, right) => {
    if (typeof left === "number" && typeof right === "number" && fits(left) && fits(right)) {
      const found = operation(left, right);
      if (!Number.isInteger(found) || Number.isSafeInteger(found)) return found;
    }
    return normalisedInteger(operation(BigInt(left), BigInt(right)));
  };
}

/** @param {number} value */
const isSmall = (value) => (value | 0) === value;
const isAny = () => true;

/** @type {Record<string, [(left: any, right: any) => any, boolean]>} by Python's names; whether the result is boolean */
const ARRAY_OPERATORS = {
  add: [exactly((left, right) => left + right, isAny), false],
  sub: [exactly((left, right) => left - right, isAny), false],
  mul: [exactly((left, right) => left * right, isAny), false],
  and: [exactly((left, right) => left & right, isSmall), false],
  or: [exactly((left, right) => left | right, isSmall), false],
  xor: [exactly((left, right) => left ^ right, isSmall), false],
  eq: [(left, right) => left === right, true],
  ne: [(left, right) => left !== right, true],
  lt: [(left, right) => left < right, true],
  le: [(left, right) => left <= right, true],
  gt: [(left, right) => left > right, true],
  ge: [(left, right) => left >= right, true],
};

for (const [name, [operation, compares]] of Object.entries(ARRAY_OPERATORS)) {
  const dtype = compares ? SCALAR_TYPES.bool : null;
  Object.defineProperty(NdArray.prototype, `__${name}__`, {
    /** @this {NdArray} @param {any} other */
    value(other) { return elementwise(this, other, dtype, operation); },
  });
  if (!compares) {
    Object.defineProperty(NdArray.prototype, `__r${name}__`, {
      /** @this {NdArray} @param {any} other */
      value(other) { return elementwise(other, this, dtype, operation); },
    });
  }
}

const numpy = {
  ...SCALAR_TYPES,
  bool_: SCALAR_TYPES.bool,
  intp: SCALAR_TYPES.int64,
  recarray: NdArray,
  ndarray: NdArray,

  /** @param {any} shape @param {DataType} dtype */
  zeros: (shape, dtype = SCALAR_TYPES.float64) => newArray(shapeOf(shape), dtype),

  /** @param {any} shape @param {DataType} dtype */
  empty: (shape, dtype = SCALAR_TYPES.float64) => newArray(shapeOf(shape), dtype),

  /** @param {any} shape @param {any} value @param {DataType} dtype */
  full(shape, value, dtype = SCALAR_TYPES.int64) {
    const found = newArray(shapeOf(shape), dtype);
    found.assign(value);
    return found;
  },

  /** @param {NdArray} array */
  zeros_like: (array) => newArray(array.shape, array.dtype),

  /** @param {any} values an array, or nested iterables @param {DataType | null} dtype */
  array(values, dtype = null) {
    const found = newArray(nestedShape(values), dtype ?? (values instanceof NdArray ? values.dtype : SCALAR_TYPES.int64));
    if (found.size) found.assign(values);
    return found;
  },

  /**
   * Real numbers from the shortest digits that tell them from others with so many bits after the first.
   * @param {any} values nested arrays @param {number} bits
   */
  widened(values, bits) {
    /** @param {any} value @returns {any} */
    const widen = (value) => (Array.isArray(value) ? value.map(widen) : rounded(value, bits));
    return numpy.array(widen(values), SCALAR_TYPES.float64);
  },

  /** @param {number} start @param {number | null} stop @param {number} step @param {DataType} dtype */
  arange(start, stop = null, step = 1, dtype = SCALAR_TYPES.int64) {
    const [first, last] = stop === null ? [0, start] : [start, stop];
    const length = Math.max(0, Math.ceil((last - first) / step));
    return numpy.array(Array.from({ length }, (_, index) => first + index * step), dtype);
  },

  /** @param {NdArray} condition @param {any} yes @param {any} no */
  where(condition, yes, no) {
    const [yeses, noes] = [yes, no].map((part) => (part instanceof NdArray ? part.reshapedValues() : null));
    const dtype = yeses || noes ? commonType(yeses && yes, noes && no) : SCALAR_TYPES.int64;
    const found = newArray(condition.shape, dtype);
    const flat = found.reshape(-1);
    condition.reshapedValues().forEach((chosen, index) => {
      flat.__setitem__(index, chosen ? (yeses ? yeses[index] : yes) : noes ? noes[index] : no);
    });
    return found;
  },
};
