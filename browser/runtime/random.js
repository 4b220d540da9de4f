// SPDX-License-Identifier: GPL-3.0-or-later
"use strict";
// NumPy's random numbers: PCG64 (XSL-RR 128/64) seeded by SeedSequence, and how Generator makes values of them.

const MASK_64 = 2n ** 64n - 1n;
const MASK_128 = 2n ** 128n - 1n;
const PCG_MULTIPLIER = 0x2360ed051fc65da44385df649fccf645n;
const POOL = 4;

/** The words of 32 bits of a whole number, the lowest first. @param {Value} value @returns {number[]} */
function wordsOf(value) {
  const words = [];
  for (let left = BigInt(value); left > 0n || !words.length; left >>= 32n) words.push(Number(left & 0xffffffffn));
  return words;
}

/** Hashes words; each call changes the constant. @param {number} constant @param {number} multiplier */
function wordHash(constant, multiplier) {
  let current = constant;
  return (/** @type {number} */ word) => {
    const mixed = (word ^ current) >>> 0;
    current = Math.imul(current, multiplier) >>> 0;
    const found = Math.imul(mixed, current) >>> 0;
    return (found ^ (found >>> 16)) >>> 0;
  };
}

/** @param {number} x @param {number} y */
function mixedWords(x, y) {
  const found = (Math.imul(x, 0xca01f9dd) - Math.imul(y, 0x4973f715)) >>> 0;
  return (found ^ (found >>> 16)) >>> 0;
}

/** SeedSequence. @param {number[]} entropy words of 32 bits @returns {number[]} eight words */
function seedWords(entropy) {
  const hash = wordHash(0x43b0d7e5, 0x931e8875);
  const pool = Array.from({ length: POOL }, (_, index) => hash(entropy[index] ?? 0));
  for (let source = 0; source < POOL; source += 1) {
    for (let target = 0; target < POOL; target += 1) {
      if (source !== target) pool[target] = mixedWords(pool[target], hash(pool[source]));
    }
  }
  for (const word of entropy.slice(POOL)) {
    for (let target = 0; target < POOL; target += 1) pool[target] = mixedWords(pool[target], hash(word));
  }
  const drawn = wordHash(0x8b51f9dd, 0x58f38ded);
  return Array.from({ length: 8 }, (_, index) => drawn(pool[index % POOL]));
}

class RandomGenerator {
  /** @param {Value} seed a whole number, or several */
  constructor(seed) {
    const words = seedWords((Array.isArray(seed) ? seed : [seed]).flatMap(wordsOf));
    const [high, low, first, second] = [0, 2, 4, 6].map((place) => BigInt(words[place]) | (BigInt(words[place + 1]) << 32n));
    this.increment = ((((first << 64n) | second) << 1n) | 1n) & MASK_128;
    this.state = (this.increment + ((high << 64n) | low)) & MASK_128;
    /** @type {number | null} the upper half of a number whose lower half is taken */
    this.half = null;
    this.step();
  }

  step() {
    this.state = (this.state * PCG_MULTIPLIER + this.increment) & MASK_128;
  }

  /** 64 random bits. @returns {bigint} */
  bits64() {
    this.step();
    const mixed = ((this.state >> 64n) ^ this.state) & MASK_64;
    const rotation = this.state >> 122n;
    return ((mixed >> rotation) | (mixed << (64n - rotation))) & MASK_64;
  }

  /** 32 random bits. @returns {bigint} */
  bits32() {
    const { half } = this;
    this.half = null;
    if (half !== null) return BigInt(half);
    const bits = this.bits64();
    this.half = Number(bits >> 32n);
    return bits & 0xffffffffn;
  }

  /** A number from 0 up to 1. */
  random() {
    return Number(this.bits64() >> 11n) / 2 ** 53;
  }

  /** A whole number below another one (Lemire 2019). @param {bigint} count @returns {bigint} */
  below(count) {
    if (count === 1n) return 0n;
    const [size, bits] = count <= 0x100000000n ? [32n, () => this.bits32()] : [64n, () => this.bits64()];
    const mask = (1n << size) - 1n;
    const threshold = (mask + 1n - count) % count;
    for (;;) {
      const product = bits() * count;
      if ((product & mask) >= threshold) return product >> size;
    }
  }

  /** Whole numbers from ``low`` up to ``high``. @param {Value} low @param {Value} [high] @param {number | null} [size] @returns {Value} */
  integers(low, high = null, size = null) {
    const [first, end] = high === null ? [0n, BigInt(low)] : [BigInt(low), BigInt(high)];
    const drawn = () => normalisedInteger(first + this.below(end - first));
    return size === null ? drawn() : Array.from({ length: size }, drawn);
  }

  /** @param {Value[]} items */
  choice(items) {
    return items[Number(this.below(BigInt(items.length)))];
  }

  /** The numbers below another one in random order. @param {number} count @returns {number[]} */
  permutation(count) {
    const order = Array.from({ length: count }, (_, index) => index);
    for (let last = count - 1; last > 0; last -= 1) {
      const other = this.upTo(last);
      [order[last], order[other]] = [order[other], order[last]];
    }
    return order;
  }

  /** A whole number from 0 to the last, by rejection. @param {number} last below 2 ** 32 */
  upTo(last) {
    const mask = BigInt(2 ** (32 - Math.clz32(last)) - 1);
    for (;;) {
      const found = Number(this.bits32() & mask);
      if (found <= last) return found;
    }
  }

  /** Numbers of the standard Gumbel distribution. @param {number} _loc @param {number} _scale @param {number} size */
  gumbel(_loc, _scale, size) {
    return numpy.array(Array.from({ length: size }, () => {
      let uniform = 1;
      while (uniform === 1) uniform = 1 - this.random();
      return -Math.log(-Math.log(uniform));
    }), SCALAR_TYPES.float64);
  }
}
Object.assign(RandomGenerator.prototype.integers, { $p: ["low", "high", "size", "dtype"] });
Object.assign(RandomGenerator.prototype.gumbel, { $p: ["loc", "scale", "size"] });
Object.assign(numpy, { random: { default_rng: (/** @type {Value} */ seed) => new RandomGenerator(seed) } });
