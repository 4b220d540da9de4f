// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
// The memory of the kernels' module: constants and stack, a block for arguments, space for copies of small
// arrays, and places for large ones.
//
// An array that nobody needs any more goes unnoticed while a search runs: JavaScript says so only between two
// tasks. Therefore a large array keeps its place only as long as there is room: then the one that no kernel took
// for the longest time moves out, into a buffer that can be collected with the array.

const PAGE = 65536;
const ARGUMENT_BYTES = 1024;
const SCRATCH_BYTES = 1 << 18;

let callsOfKernels = 0;

/** A place of a large array in the module's memory. */
class ArrayPlace {
  /** @param {KernelMemory} home @param {ArrayMemory} memory @param {number} address */
  constructor(home, memory, address) {
    this.home = home;
    this.memory = memory;
    this.address = address;
    this.bytes = alignedSize(memory.size);
  }

  /** Free the place; the array's bytes are zero again. */
  release() {
    this.home.free(this);
    this.memory.ownBytes = this.memory.ownView = null;
  }

  /** Free the place; the array keeps its bytes in a buffer. */
  moveOut() {
    const bytes = this.memory.bytes.slice();
    this.home.free(this);
    this.memory.lieIn(bytes, 0);
  }
}

/** @param {number} size */
function alignedSize(size) {
  return (size + 15) & ~15;
}

class KernelMemory {
  /**
   * @param {number} pages needed by the module itself
   * @param {number} limit bytes beyond which arrays move out before the memory grows
   */
  constructor(pages, limit) {
    this.limit = limit;
    this.memory = new WebAssembly.Memory({ initial: pages });
    this.call = 0;
    this.argumentBlock = 0;
    this.scratchStart = 0;
    this.scratchAt = 0;
    /** @type {ArrayMemory[]} the memories copied for the present call */
    this.copied = [];
    /** @type {Set<ArrayPlace>} */
    this.places = new Set();
    /** @type {{start: number, end: number}[]} by address */
    this.gaps = [];
    /** @type {Map<number, Uint8Array>} */
    this.parts = new Map();
    this.bytes = new Uint8Array(this.memory.buffer);
    this.view = new DataView(this.memory.buffer);
    this.registry = new FinalizationRegistry((/** @type {ArrayPlace} */ place) => this.free(place));
  }

  /** Begin to use the memory behind the module's own. @param {number} heap an address */
  openHeap(heap) {
    this.argumentBlock = alignedSize(heap);
    this.scratchStart = this.argumentBlock + ARGUMENT_BYTES;
    const start = this.scratchStart + SCRATCH_BYTES;
    if (this.bytes.length < start) this.grow(start - this.bytes.length);
    this.gaps = [{ start, end: this.bytes.length }];
  }

  beginCall() {
    this.call = ++callsOfKernels;
    this.scratchAt = this.scratchStart;
    this.copied.length = 0;
  }

  /**
   * Where the bytes of an array are for the present call.
   * @param {ArrayMemory} memory @param {object | null} token @returns {number}
   */
  addressOf(memory, token) {
    if (memory.size > COPIED_BYTES) {
      if (memory.place && memory.place.home !== this) memory.place.moveOut();
      memory.lastCall = this.call;
      return memory.address || this.moveIn(memory, token);
    }
    if (memory.lastCall === this.call && memory.address) return memory.address;
    const address = this.scratchAt;
    this.scratchAt += alignedSize(memory.size);
    if (this.scratchAt > this.scratchStart + SCRATCH_BYTES) throw new RangeError("too many arrays for one call");
    this.bytes.set(/** @type {Uint8Array} */ (memory.ownBytes), address);
    memory.address = address;
    memory.lastCall = this.call;
    this.copied.push(memory);
    return address;
  }

  /** Copy back what the kernel may have changed. */
  endCall() {
    for (const memory of this.copied) {
      /** @type {Uint8Array} */ (memory.ownBytes).set(this.part(memory.address, memory.size));
    }
  }

  /** @param {number} address @param {number} size @returns {Uint8Array} */
  part(address, size) {
    const key = address * (COPIED_BYTES + 1) + size;
    let found = this.parts.get(key);
    if (found === undefined) {
      if (this.parts.size > 1000) this.parts.clear();
      found = this.bytes.subarray(address, address + size);
      this.parts.set(key, found);
    }
    return found;
  }

  /** @param {ArrayMemory} memory @param {object | null} token @returns {number} */
  moveIn(memory, token) {
    const address = this.allocate(alignedSize(memory.size));
    const bytes = this.bytes.subarray(address, address + memory.size);
    if (memory.ownBytes) bytes.set(memory.ownBytes);
    else bytes.fill(0);
    memory.lieIn(bytes, address);
    memory.place = new ArrayPlace(this, memory, address);
    this.places.add(memory.place);
    if (token) this.registry.register(token, memory.place, memory.place);
    return address;
  }

  /** @param {ArrayPlace} place */
  free(place) {
    if (!this.places.delete(place)) return;
    this.registry.unregister(place);
    place.memory.place = null;
    place.memory.address = 0;
    this.addGap(place.address, place.address + place.bytes);
  }

  /** @param {number} size @returns {number} */
  allocate(size) {
    for (;;) {
      const gap = this.gaps.find(({ start, end }) => end - start >= size);
      if (gap) {
        const { start } = gap;
        gap.start += size;
        if (gap.start === gap.end) this.gaps.splice(this.gaps.indexOf(gap), 1);
        return start;
      }
      const last = this.gaps.at(-1);
      const missing = size - (last && last.end === this.bytes.length ? last.end - last.start : 0);
      const oldest = this.bytes.length + missing > this.limit ? this.oldestPlace() : null;
      if (oldest) oldest.moveOut();
      else this.grow(missing);
    }
  }

  /** The place that no kernel took for the longest time, except those of the present call. */
  oldestPlace() {
    let oldest = null;
    for (const place of this.places) {
      const { lastCall } = place.memory;
      if (lastCall !== this.call && (oldest === null || lastCall < oldest.memory.lastCall)) oldest = place;
    }
    return oldest;
  }

  /** @param {number} missing bytes; all views of the memory are made again */
  grow(missing) {
    const before = this.bytes.length;
    this.memory.grow(Math.ceil(missing / PAGE));
    this.bytes = new Uint8Array(this.memory.buffer);
    this.view = new DataView(this.memory.buffer);
    this.parts.clear();
    for (const { memory, address } of this.places) memory.lieIn(this.bytes.subarray(address, address + memory.size), address);
    this.addGap(before, this.bytes.length);
  }

  /** @param {number} start @param {number} end */
  addGap(start, end) {
    const at = this.gaps.findIndex((gap) => gap.start > start);
    const place = at < 0 ? this.gaps.length : at;
    this.gaps.splice(place, 0, { start, end });
    for (const left of [place, place - 1]) {
      if (left >= 0 && left + 1 < this.gaps.length && this.gaps[left].end === this.gaps[left + 1].start) {
        this.gaps[left].end = this.gaps[left + 1].end;
        this.gaps.splice(left + 1, 1);
      }
    }
  }
}
