// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
// The bytes of arrays. Small ones lie in a buffer of their own and are copied for each kernel that takes them;
// large ones move into the module's memory when a kernel takes them first (`KernelMemory`), and back into a
// buffer when others need the place.

/** Bytes up to which an array is copied for each call. */
const COPIED_BYTES = 32768;

/** Small arrays are cut from larger buffers: a buffer of its own would cost more than most kernels. Few share one, as
 * it lives as long as any of them. */
class BufferCutter {
  /** @param {number} largest bytes of an array @param {number} size of a buffer */
  constructor(largest, size) {
    this.largest = largest;
    this.size = size;
    this.buffer = new ArrayBuffer(size);
    this.at = 0;
  }

  /** @param {number} size @returns {Uint8Array} zeros */
  cut(size) {
    if (this.at + size > this.size) {
      this.buffer = new ArrayBuffer(this.size);
      this.at = 0;
    }
    const bytes = new Uint8Array(this.buffer, this.at, size);
    this.at += (size + 7) & ~7;
    return bytes;
  }
}

const RECORD_CUTTER = new BufferCutter(2048, 16384);
const LIST_CUTTER = new BufferCutter(8192, 65536);

/** @param {number} size @returns {Uint8Array} zeros */
function newBytes(size) {
  if (size <= RECORD_CUTTER.largest) return RECORD_CUTTER.cut(size);
  return size <= LIST_CUTTER.largest ? LIST_CUTTER.cut(size) : new Uint8Array(size);
}

/** The bytes that an array, its views and its records share. */
class ArrayMemory {
  /** @param {number} size bytes, all zero */
  constructor(size) {
    this.size = size;
    /** Where it lies in the module's memory; 0: it lies in a buffer of its own. */
    this.address = 0;
    /** The last call of a kernel that took it. */
    this.lastCall = 0;
    /** @type {ArrayPlace | null} the place in the module's memory */
    this.place = null;
    /** @type {Uint8Array | null} */
    this.ownBytes = size <= COPIED_BYTES ? newBytes(size) : null;
    /** @type {DataView | null} */
    this.ownView = this.ownBytes && new DataView(this.ownBytes.buffer, this.ownBytes.byteOffset, size);
  }

  /** The bytes as they are now; not to be kept. */
  get view() {
    return this.ownView ?? this.allocated();
  }

  /** @returns {Uint8Array} */
  get bytes() {
    if (this.ownBytes === null) this.allocated();
    return /** @type {Uint8Array} */ (this.ownBytes);
  }

  allocated() {
    return this.lieIn(new Uint8Array(this.size), 0);
  }

  /** Let the bytes be those of another buffer. @param {Uint8Array} bytes @param {number} address */
  lieIn(bytes, address) {
    this.ownBytes = bytes;
    this.ownView = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.address = address;
    return this.ownView;
  }
}
