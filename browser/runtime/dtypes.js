// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
// Element types of arrays, as NumPy's, and how integers of 64 bits are numbers here: an integer is a number if
// it is exact as one (at most 2 ** 53 - 1), and a BigInt otherwise, so that equal integers are equal by ===.

/**
 * A type of elements; called, it converts a value, as NumPy's scalar types do.
 * @typedef {object} DataTypeFields
 * @property {string} typeName
 * @property {string} kind "i", "u", "f", "b"; "V" for records
 * @property {number} itemsize bytes
 * @property {(view: DataView, at: number) => any} read
 * @property {(view: DataView, at: number, value: any) => void} write
 * @property {Map<string, RecordField>} fields of a record type
 * @property {any} recordClass
 * @property {any} arrayClass
 */
/** @typedef {DataTypeFields & ((value?: any) => any)} DataType */
/**
 * @typedef {object} RecordField
 * @property {number} offset
 * @property {DataType} dtype
 * @property {number[]} shape empty for a scalar
 * @property {number[]} strides bytes
 */

const TWO_32 = 4294967296;
const SAFE_HIGH = 2097152;

/** @param {bigint} value @returns {number | bigint} */
function normalisedInteger(value) {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** @param {DataView} view @param {number} at @returns {number | bigint} */
function readInt64(view, at) {
  const high = view.getInt32(at + 4, true);
  if (high >= SAFE_HIGH || high < -SAFE_HIGH) return view.getBigInt64(at, true);
  const value = high * TWO_32 + view.getUint32(at, true);
  return value >= Number.MIN_SAFE_INTEGER ? value : BigInt(value);
}

/** @param {DataView} view @param {number} at @returns {number | bigint} */
function readUint64(view, at) {
  const high = view.getUint32(at + 4, true);
  return high < SAFE_HIGH ? high * TWO_32 + view.getUint32(at, true) : view.getBigUint64(at, true);
}

/**
 * Write an integer modulo 2 ** 64.
 * @param {DataView} view @param {number} at @param {any} value
 */
function writeInt64(view, at, value) {
  if (typeof value === "bigint") {
    view.setBigInt64(at, value, true);
    return;
  }
  const number = Math.trunc(value);
  view.setUint32(at, number, true);
  view.setInt32(at + 4, Math.floor(number / TWO_32), true);
}

/**
 * A value for a setter of at most 32 bits, which takes it modulo 2 ** 32.
 * @param {any} value @returns {number}
 */
function lowBits(value) {
  return typeof value === "bigint" ? Number(BigInt.asIntN(32, value)) : value;
}

/**
 * @param {string} typeName @param {string} kind @param {number} itemsize
 * @param {(view: DataView, at: number) => any} read
 * @param {(view: DataView, at: number, value: any) => void} write
 * @returns {DataType}
 */
function scalarType(typeName, kind, itemsize, read, write) {
  const space = new DataView(new ArrayBuffer(8));
  /** @param {any} value */
  const convert = (value = 0) => {
    write(space, 0, value);
    return read(space, 0);
  };
  return Object.assign(convert, {
    typeName, kind, itemsize, read, write, fields: new Map(), recordClass: null, arrayClass: null,
  });
}

const SCALAR_TYPES = {
  int64: scalarType("int64", "i", 8, readInt64, writeInt64),
  uint64: scalarType("uint64", "u", 8, readUint64, writeInt64),
  int32: scalarType("int32", "i", 4, (view, at) => view.getInt32(at, true),
    (view, at, value) => view.setInt32(at, lowBits(value), true)),
  uint32: scalarType("uint32", "u", 4, (view, at) => view.getUint32(at, true),
    (view, at, value) => view.setUint32(at, lowBits(value), true)),
  int16: scalarType("int16", "i", 2, (view, at) => view.getInt16(at, true),
    (view, at, value) => view.setInt16(at, lowBits(value), true)),
  uint16: scalarType("uint16", "u", 2, (view, at) => view.getUint16(at, true),
    (view, at, value) => view.setUint16(at, lowBits(value), true)),
  int8: scalarType("int8", "i", 1, (view, at) => view.getInt8(at),
    (view, at, value) => view.setInt8(at, lowBits(value))),
  uint8: scalarType("uint8", "u", 1, (view, at) => view.getUint8(at),
    (view, at, value) => view.setUint8(at, lowBits(value))),
  float64: scalarType("float64", "f", 8, (view, at) => view.getFloat64(at, true),
    (view, at, value) => view.setFloat64(at, Number(value), true)),
  float32: scalarType("float32", "f", 4, (view, at) => view.getFloat32(at, true),
    (view, at, value) => view.setFloat32(at, Number(value), true)),
  bool: scalarType("bool", "b", 1, (view, at) => view.getUint8(at) !== 0,
    (view, at, value) => view.setUint8(at, value ? 1 : 0)),
};
