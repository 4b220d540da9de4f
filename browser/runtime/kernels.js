// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
// The kernels of a WebAssembly module as functions that take what they take in Python. How their arguments lie
// in memory: compiler/interface.py.

/** @typedef {any} KernelType a name, or ["record", name], ["array", name, dimensions], ["tuple", [name, type], ...] */
/** @typedef {{export: string, arguments: [string, KernelType][], returns: KernelType}} KernelEntry */
/**
 * @typedef {object} KernelManifest
 * @property {Record<string, KernelEntry>} entries
 * @property {Record<string, {size: number, fields: Record<string, [number, string, number[]]>}>} records
 * @property {{pages: number}} memory
 */
/** @typedef {(memory: KernelMemory, value: any) => void} ArgumentWriter writes an argument to the block */

const PLACE_BYTES = 8;

/** @param {string} text */
function argumentError(text) {
  return new TypeError(`a kernel was called with ${text}`);
}

/**
 * @param {KernelType} type @param {number} at the place in the block of arguments, in bytes
 * @returns {{write: ArgumentWriter, end: number}} and where the next argument lies
 */
function argumentWriter(type, at) {
  if (type === "none") return { write: () => {}, end: at };
  if (type === "float64") {
    return { write: ({ view, argumentBlock }, value) => view.setFloat64(argumentBlock + at, Number(value), true), end: at + PLACE_BYTES };
  }
  if (typeof type === "string") {
    return { write: ({ view, argumentBlock }, value) => writeInteger(view, argumentBlock + at, value), end: at + PLACE_BYTES };
  }
  if (type[0] === "record") return { write: recordWriter(recordType(type[1]), at), end: at + PLACE_BYTES };
  if (type[0] === "array") return arrayWriter(type, at);
  return tupleWriter(type.slice(1), at);
}

/** @param {DataView} view @param {number} at @param {any} value */
function writeInteger(view, at, value) {
  if (typeof value === "number" && (value | 0) === value) {
    view.setInt32(at, value, true);
    view.setInt32(at + 4, value >> 31, true);
  } else if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") {
    writeInt64(view, at, value);
  } else if (typeof value?.valueOf() === "number") { // a member of an IntEnum
    writeInteger(view, at, value.valueOf());
  } else {
    throw argumentError(`${value} for an integer`);
  }
}

/** @param {DataType} dtype @param {number} at @returns {ArgumentWriter} */
function recordWriter(dtype, at) {
  return (memory, value) => {
    if (!(value instanceof NdRecord) || value.dtype !== dtype) throw argumentError(`${value} for a ${dtype.typeName}`);
    const address = memory.addressOf(value.memory, value.token) + value.offset;
    memory.view.setUint32(memory.argumentBlock + at, address, true);
  };
}

/** @param {["array", string, number]} type @param {number} at */
function arrayWriter([, element, dimensions], at) {
  const dtype = /** @type {Record<string, DataType>} */ (SCALAR_TYPES)[element] ?? recordType(element);
  /** @type {ArgumentWriter} */
  const write = (memory, value) => {
    if (!(value instanceof NdArray) || value.dtype !== dtype || value.shape.length !== dimensions || !isOneBlock(value)) {
      throw argumentError(`${describedValue(value)} for an array of ${dtype.typeName}`);
    }
    const address = memory.addressOf(value.memory, value.token) + value.offset;
    const start = memory.argumentBlock + at;
    memory.view.setUint32(start, address, true);
    for (let axis = 0; axis < dimensions; axis++) writeInteger(memory.view, start + PLACE_BYTES * (axis + 1), value.shape[axis]);
  };
  return { write, end: at + PLACE_BYTES * (dimensions + 1) };
}

/** @param {NdArray} array */
function isOneBlock(array) {
  return array.shape.length === 1 ? array.strides[0] === array.dtype.itemsize || array.shape[0] <= 1 : array.isContiguous;
}

/** @param {any} value */
function describedValue(value) {
  return value instanceof NdArray ? `an array of ${value.dtype.typeName}, shape (${value.shape}), strides (${value.strides})` : `${value}`;
}

/**
 * The writers of several arguments, or of a tuple's members, one after the other.
 * @param {[string, KernelType][]} members @param {number} at
 */
function memberWriters(members, at) {
  let end = at;
  const writers = members.map(([, type]) => {
    const member = argumentWriter(type, end);
    ({ end } = member);
    return member.write;
  });
  return { writers, end };
}

/** Takes an object with the members as properties, or an iterable. @param {[string, KernelType][]} members @param {number} at */
function tupleWriter(members, at) {
  const { writers, end } = memberWriters(members, at);
  const names = members.map(([name]) => name);
  /** @type {ArgumentWriter} */
  const write = (memory, value) => {
    const named = names[0] !== "" && names[0] in value;
    const values = named ? names.map((name) => value[name]) : [...value];
    if (values.length !== writers.length) throw argumentError(`${values.length} values for a tuple of ${writers.length}`);
    for (let index = 0; index < writers.length; index++) writers[index](memory, values[index]);
  };
  return { write, end };
}

/** @param {KernelType} type @returns {(view: DataView, at: number) => any} */
function resultReader(type) {
  if (type === "none") return () => null;
  if (type === "bool") return (view, at) => view.getInt32(at, true) !== 0;
  if (type === "float64") return SCALAR_TYPES.float64.read;
  if (type === "uint64") return readUint64;
  if (typeof type === "string") return readInt64;
  const readers = type.slice(1).map((/** @type {[string, KernelType]} */ [, member]) => resultReader(member));
  return (view, at) => readers.map((/** @type {any} */ read, /** @type {number} */ index) => read(view, at + PLACE_BYTES * index));
}

/** The kernels of a module. */
class Kernels {
  /** @param {WebAssembly.Module} module @param {KernelManifest} manifest @param {number} limit bytes */
  constructor(module, manifest, limit) {
    defineRecords(manifest.records);
    this.manifest = manifest;
    this.memory = new KernelMemory(manifest.memory.pages, limit);
    const env = { memory: this.memory.memory };
    this.exports = new WebAssembly.Instance(module, { env }).exports;
    this.memory.openHeap(/** @type {WebAssembly.Global} */ (this.exports.__heap_base).value);
    /** @type {Map<string, (...values: any[]) => any>} */
    this.functions = new Map();
  }

  /** Bytes of the module's memory. */
  get bytes() {
    return this.memory.bytes.length;
  }

  /** The kernel of a qualified name, such as "solver.engines.dfpn.kernel.search.run". @param {string} name */
  get(name) {
    const found = this.functions.get(name) ?? this.made(name);
    this.functions.set(name, found);
    return found;
  }

  /** @param {string} name @returns {(...values: any[]) => any} */
  made(name) {
    const entry = this.manifest.entries[name];
    if (entry === undefined) throw new RangeError(`the module has no kernel ${name}`);
    const code = /** @type {(block: number) => number} */ (this.exports[entry.export]);
    const { memory } = this;
    const { writers } = memberWriters(entry.arguments, 0);
    const read = resultReader(entry.returns);
    return (...values) => {
      if (values.length !== writers.length) {
        throw new TypeError(`${name} takes ${writers.length} arguments, not ${values.length}`);
      }
      memory.beginCall();
      for (let index = 0; index < writers.length; index++) writers[index](memory, values[index]);
      const status = code(memory.argumentBlock);
      memory.endCall();
      if (status !== 0) throw new Error(`the kernel ${name} failed with status ${status}`);
      return read(memory.view, memory.argumentBlock);
    };
  }
}

/**
 * The kernels of a module, compiled here unless that was done before (WebAssembly.compile).
 * @param {BufferSource | WebAssembly.Module} module @param {KernelManifest} manifest
 * @param {{limit?: number}} options limit: bytes of memory beyond which large arrays make room for others
 */
function loadKernels(module, manifest, { limit = 1 << 26 } = {}) {
  const compiled = module instanceof WebAssembly.Module ? module : new WebAssembly.Module(module);
  return new Kernels(compiled, manifest, limit);
}
