// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
// Arrays and records as NumPy's, as far as the solver uses them. Views share the memory of what they view.

/** A Python slice; null stands for what is left out. */
class Slice {
  /** @param {number | null} start @param {number | null} stop @param {number | null} step */
  constructor(start = null, stop = null, step = null) {
    this.start = start;
    this.stop = stop;
    this.step = step;
  }

  /**
   * The first index, the number of indices and the step, for so many elements.
   * @param {number} length @returns {[number, number, number]}
   */
  indices(length) {
    const step = this.step ?? 1;
    if (step === 0) throw new RangeError("slice step cannot be zero");
    /** @param {number} bound */
    const inside = (bound) => {
      const place = bound < 0 ? bound + length : bound;
      return step > 0 ? Math.min(Math.max(place, 0), length) : Math.min(Math.max(place, -1), length - 1);
    };
    const start = this.start === null ? (step > 0 ? 0 : length - 1) : inside(this.start);
    const stop = this.stop === null ? (step > 0 ? length : -1) : inside(this.stop);
    return [start, Math.max(0, Math.ceil((stop - start) / step)), step];
  }
}

/** An element of a record array, or a record of its own; its fields are properties. */
class NdRecord {
  /**
   * @param {DataType} dtype @param {ArrayMemory} memory @param {object | null} token @param {number} offset
   */
  constructor(dtype, memory, token, offset) {
    this.dtype = dtype;
    this.memory = memory;
    this.token = token;
    this.offset = offset;
  }

  /** A record of its own with the same values. */
  copy() {
    const memory = new ArrayMemory(this.dtype.itemsize);
    memory.bytes.set(this.recordBytes());
    return new this.dtype.recordClass(this.dtype, memory, newToken(memory), 0);
  }

  /** Its bytes, not to be kept. */
  recordBytes() {
    return this.memory.bytes.subarray(this.offset, this.offset + this.dtype.itemsize);
  }

  /** @param {string} name */
  __getitem__(name) {
    return readField(this, fieldOf(this.dtype, name));
  }

  /** @param {string} name @param {any} value */
  __setitem__(name, value) {
    writeField(this, fieldOf(this.dtype, name), value);
  }
}

/** An array of one or two dimensions. */
class NdArray {
  /**
   * @param {DataType} dtype @param {ArrayMemory} memory
   * @param {object | null} token what all views of a large memory share, see `KernelMemory`
   * @param {number} offset bytes @param {number[]} shape @param {number[]} strides bytes
   */
  constructor(dtype, memory, token, offset, shape, strides) {
    this.dtype = dtype;
    this.memory = memory;
    this.token = token;
    this.offset = offset;
    this.shape = shape;
    this.strides = strides;
  }

  get ndim() {
    return this.shape.length;
  }

  get size() {
    return this.shape.reduce((product, length) => product * length, 1);
  }

  get itemsize() {
    return this.dtype.itemsize;
  }

  get nbytes() {
    return this.size * this.dtype.itemsize;
  }

  get isContiguous() {
    return this.strides.every((stride, axis) =>
      this.shape[axis] <= 1 || stride === contiguousStrides(this.shape, this.dtype.itemsize)[axis]);
  }

  __len__() {
    return this.shape[0];
  }

  * [Symbol.iterator]() {
    for (let index = 0; index < this.shape[0]; index++) yield this.itemAt(index);
  }

  /** What lies at an index of the first dimension, which is inside. @param {number} index @returns {any} */
  itemAt(index) {
    const at = this.offset + index * this.strides[0];
    if (this.shape.length > 1) return this.viewed(at, this.shape.slice(1), this.strides.slice(1));
    const { dtype } = this;
    return dtype.recordClass ? new dtype.recordClass(dtype, this.memory, this.token, at) : dtype.read(this.memory.view, at);
  }

  /** @param {number} offset @param {number[]} shape @param {number[]} strides @returns {NdArray} */
  viewed(offset, shape, strides, dtype = this.dtype) {
    return new (dtype.arrayClass ?? NdArray)(dtype, this.memory, this.token, offset, shape, strides);
  }

  /** @param {any} index see `indexedArray` @returns {any} */
  __getitem__(index) {
    if (typeof index === "number") return this.itemAt(insideIndex(index, this.shape[0]));
    const found = indexedArray(this, index);
    return found.shape.length ? found : found.itemAtOffset();
  }

  /** The element of an array without dimensions. @returns {any} */
  itemAtOffset() {
    const { dtype } = this;
    if (dtype.recordClass) return new dtype.recordClass(dtype, this.memory, this.token, this.offset);
    return dtype.read(this.memory.view, this.offset);
  }

  /** @param {any} index @param {any} value a scalar, a record, or values for all elements */
  __setitem__(index, value) {
    if (typeof index === "number" && this.shape.length === 1) {
      const at = this.offset + insideIndex(index, this.shape[0]) * this.strides[0];
      writeElement(this, at, value);
    } else if (index instanceof NdArray) {
      const places = chosenPlaces(index, this.shape[0]);
      places.forEach((place, number) => this.__setitem__(place, isSequence(value) ? [...value][number] : value));
    } else {
      indexedArray(this, index).assign(value);
    }
  }

  /** Write all elements: each the same, or those of an array or of nested lists. @param {any} value */
  assign(value) {
    if (this.shape.length === 0) {
      writeElement(this, this.offset, value);
      return;
    }
    const values = isSequence(value) ? [...value] : null;
    const deeper = values !== null && (values.length === 0 || isSequence(values[0]));
    const along = values !== null && (deeper || this.shape.length === 1);
    if (along && values.length !== this.shape[0] && values.length !== 1) {
      throw new RangeError(`could not broadcast ${values.length} values into ${this.shape[0]}`);
    }
    for (let index = 0; index < this.shape[0]; index++) {
      const element = along ? values[values.length === 1 ? 0 : index] : value;
      const at = this.offset + index * this.strides[0];
      if (this.shape.length === 1) writeElement(this, at, element);
      else this.viewed(at, this.shape.slice(1), this.strides.slice(1)).assign(element);
    }
  }

  copy() {
    return this.astype(this.dtype);
  }

  /** @param {DataType} dtype @returns {NdArray} */
  astype(dtype) {
    const copy = newArray(this.shape, dtype);
    if (dtype === this.dtype && this.isContiguous) {
      copy.memory.bytes.set(this.memory.bytes.subarray(this.offset, this.offset + this.nbytes));
    } else {
      copy.assign(this);
    }
    return copy;
  }

  /** Itself: NumPy needs a view for fields as attributes. @param {any} _type */
  view(_type) {
    return this;
  }

  /** @param {...(number | number[])} lengths one of them may be -1; the array must be contiguous */
  reshape(...lengths) {
    const shape = lengths.flat();
    const unknown = shape.indexOf(-1);
    if (unknown >= 0) shape[unknown] = -this.size / shape.reduce((product, length) => product * length, 1);
    if (!this.isContiguous || shape.reduce((product, length) => product * length, 1) !== this.size) {
      throw new RangeError(`cannot reshape an array of ${this.size} elements into ${shape}`);
    }
    return this.viewed(this.offset, shape, contiguousStrides(shape, this.dtype.itemsize));
  }

  /** @returns {any[]} */
  tolist() {
    if (this.shape.length > 1) return Array.from(this, (row) => row.tolist());
    const { dtype: { read }, memory: { view }, strides: [stride], shape: [length] } = this;
    const found = new Array(length);
    for (let index = 0, at = this.offset; index < length; index++, at += stride) found[index] = read(view, at);
    return found;
  }

  /** @returns {any} */
  sum() {
    return this.reshapedValues().reduce((total, value) => addExactly(total, value), 0);
  }

  /** @returns {any[]} all elements in order */
  reshapedValues() {
    return this.tolist().flat(this.shape.length - 1);
  }

  /** Give back the place in the module's memory of a large array that is not used any more. */
  release() {
    this.memory.place?.release();
  }
}
