// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
// How arrays and records are made, indexed and written.

/** @param {number[]} shape @param {number} itemsize @returns {number[]} the strides of rows one after the other */
function contiguousStrides(shape, itemsize) {
  const strides = new Array(shape.length);
  let stride = itemsize;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    strides[axis] = stride;
    stride *= shape[axis];
  }
  return strides;
}

/** What the arrays of a large memory hold, so that its end is noticed; null for a small one. @param {ArrayMemory} memory */
function newToken(memory) {
  return memory.size > COPIED_BYTES ? {} : null;
}

/** A new array of zeros. @param {number[]} shape @param {DataType} dtype @returns {any} */
function newArray(shape, dtype) {
  const strides = contiguousStrides(shape, dtype.itemsize);
  const memory = new ArrayMemory(shape.reduce((product, length) => product * length, dtype.itemsize));
  return new (dtype.arrayClass ?? NdArray)(dtype, memory, newToken(memory), 0, shape, strides);
}

/** @param {number} index @param {number} length @returns {number} */
function insideIndex(index, length) {
  const place = index < 0 ? index + length : index;
  if (!(place >= 0 && place < length)) throw new RangeError(`index ${index} is out of bounds for size ${length}`);
  return place;
}

/** @param {any} value @returns {boolean} */
function isSequence(value) {
  return value !== null && typeof value === "object" && typeof value[Symbol.iterator] === "function";
}

/**
 * The part of an array at an index: a number, a field's name, a `Slice`, an array of these (one a dimension),
 * or an array of integers or of booleans, which gives a copy.
 * @param {NdArray} array @param {any} index @returns {NdArray}
 */
function indexedArray(array, index) {
  if (typeof index === "string") return fieldOfArray(array, fieldOf(array.dtype, index));
  if (index instanceof NdArray) return chosenElements(array, chosenPlaces(index, array.shape[0]));
  const parts = Array.isArray(index) ? index : [index];
  if (parts.length > array.shape.length) throw new RangeError("too many indices for array");
  let { offset } = array;
  const shape = [];
  const strides = [];
  for (let axis = 0; axis < array.shape.length; axis++) {
    const part = axis < parts.length ? parts[axis] : new Slice();
    if (part instanceof Slice) {
      const [start, count, step] = part.indices(array.shape[axis]);
      offset += count ? start * array.strides[axis] : 0;
      shape.push(count);
      strides.push(step * array.strides[axis]);
    } else {
      offset += insideIndex(Number(part), array.shape[axis]) * array.strides[axis];
    }
  }
  return array.viewed(offset, shape, strides);
}

/** @param {NdArray} index integers, or a boolean for each place @param {number} length @returns {number[]} */
function chosenPlaces(index, length) {
  const values = index.tolist();
  if (index.dtype.kind !== "b") return values.map((place) => insideIndex(place, length));
  return values.flatMap((chosen, place) => (chosen ? [place] : []));
}

/** @param {NdArray} array @param {number[]} places @returns {NdArray} */
function chosenElements(array, places) {
  const found = newArray([places.length, ...array.shape.slice(1)], array.dtype);
  places.forEach((place, number) => found.__setitem__(number, array.itemAt(place)));
  return found;
}

/** @param {NdArray} array @param {number} at bytes @param {any} value */
function writeElement(array, at, value) {
  const { dtype, memory } = array;
  if (dtype.recordClass) memory.bytes.set(value.recordBytes(), at);
  else dtype.write(memory.view, at, value);
}

/** @param {any} left @param {any} right @returns {number | bigint} the sum, normalised */
function addExactly(left, right) {
  const sum = Number(left) + Number(right);
  const small = Number.isSafeInteger(sum) || !Number.isInteger(sum);
  return small && typeof left !== "bigint" && typeof right !== "bigint" ? sum : normalisedInteger(BigInt(left) + BigInt(right));
}

// --- records -------------------------------------------------------------------------------------

/** @param {DataType} dtype @param {string} name @returns {RecordField} */
function fieldOf(dtype, name) {
  const field = dtype.fields.get(name);
  if (field === undefined) throw new RangeError(`no field of name ${name}`);
  return field;
}

/** @param {NdRecord} record @param {RecordField} field @returns {any} */
function readField(record, { offset, dtype, shape, strides }) {
  const at = record.offset + offset;
  if (shape.length === 0) return dtype.read(record.memory.view, at);
  return new NdArray(dtype, record.memory, record.token, at, shape, strides);
}

/** @param {NdRecord} record @param {RecordField} field @param {any} value */
function writeField(record, field, value) {
  if (field.shape.length === 0) field.dtype.write(record.memory.view, record.offset + field.offset, value);
  else readField(record, field).assign(value);
}

/** The column of a record array. @param {NdArray} array @param {RecordField} field @returns {NdArray} */
function fieldOfArray(array, { offset, dtype, shape, strides }) {
  return array.viewed(array.offset + offset, [...array.shape, ...shape], [...array.strides, ...strides], dtype);
}

/** @type {Map<string, DataType>} */
const RECORD_TYPES = new Map();

/**
 * Make the record types of a manifest known; of one that is known already nothing changes.
 * @param {Record<string, {size: number, fields: Record<string, [number, string, number[]]>}>} records
 */
function defineRecords(records) {
  for (const [name, { size, fields }] of Object.entries(records)) {
    if (!RECORD_TYPES.has(name)) RECORD_TYPES.set(name, newRecordType(name, size, fields));
  }
}

/**
 * The record type of a name, with its module ("tsume_rules.kernel.state.POSITION") or without.
 * @param {string} name @returns {DataType}
 */
function recordType(name) {
  const found = RECORD_TYPES.get(name) ?? [...RECORD_TYPES].find(([full]) => full.endsWith(`.${name}`))?.[1];
  if (found === undefined) throw new RangeError(`no record type ${name}`);
  return found;
}

/**
 * @param {string} name @param {number} size @param {Record<string, [number, string, number[]]>} fields
 * @returns {DataType}
 */
function newRecordType(name, size, fields) {
  class OwnRecord extends NdRecord {}
  class OwnArray extends NdArray {}
  const known = new Map();
  for (const [field, [offset, typeName, shape]] of Object.entries(fields)) {
    const dtype = /** @type {Record<string, DataType>} */ (SCALAR_TYPES)[typeName];
    if (field in NdArray.prototype || field in new OwnRecord(dtype, new ArrayMemory(0), null, 0)) {
      throw new RangeError(`the field ${field} of ${name} is named as a property of arrays`);
    }
    const layout = { offset, dtype, shape, strides: contiguousStrides(shape, dtype.itemsize) };
    known.set(field, layout);
    defineField(OwnRecord, OwnArray, field, layout);
  }
  const make = () => newArray([1], dtype).itemAt(0);
  /** @type {DataType} */
  const dtype = Object.assign(make, {
    typeName: name, kind: "V", itemsize: size, fields: known, recordClass: OwnRecord, arrayClass: OwnArray,
    read: () => { throw new TypeError(`a ${name} is not a scalar`); },
    write: () => { throw new TypeError(`a ${name} is not a scalar`); },
  });
  return dtype;
}

/** @param {any} recordClass @param {any} arrayClass @param {string} name @param {RecordField} field */
function defineField(recordClass, arrayClass, name, field) {
  const { offset, dtype: { read, write }, shape } = field;
  const scalar = shape.length === 0;
  Object.defineProperty(recordClass.prototype, name, {
    get: scalar
      ? /** @this {NdRecord} */ function get() { return read(this.memory.view, this.offset + offset); }
      : /** @this {NdRecord} */ function get() { return readField(this, field); },
    set: scalar
      ? /** @this {NdRecord} @param {any} value */ function set(value) { write(this.memory.view, this.offset + offset, value); }
      : /** @this {NdRecord} @param {any} value */ function set(value) { writeField(this, field, value); },
  });
  Object.defineProperty(arrayClass.prototype, name, {
    /** @this {NdArray} */ get() { return fieldOfArray(this, field); },
    /** @this {NdArray} @param {any} value */ set(value) { fieldOfArray(this, field).assign(value); },
  });
}
