/**
 * The seeded random generator behind every resampling statistic: ChaCha with 12 rounds, bit for bit the stream of
 * Rust's `rand` crate, so that the same seed gives the same interval everywhere.
 *
 * ChaCha: D. J. Bernstein (2008), https://cr.yp.to/chacha.html. The key is stretched from a 64-bit seed by a PCG32 step;
 * indices below n come from the widening-multiplication method with rejection, which has no bias.
 */
export interface Random {
  /** The next 32 random bits as an unsigned integer. */
  uint32(): number;
  /** A whole number from 0 to n - 1, each equally likely; n between 1 and 2^32 - 1. */
  below(n: number): number;
  /** Draws `counts.length` indices below `counts.length`, as `below` would, and adds 1 to the count of each. */
  tally(counts: Uint16Array | Uint32Array): void;
  /** A number in [0, 1) with 53 random bits. */
  unit(): number;
}

export type Seed = number | bigint;

/** Where neither the user nor the data gives one. */
export const DEFAULT_SEED = 42;

/** A generator of its own for this seed; two generators with one seed give the same numbers. */
export function createRandom(seed: Seed): Random {
  return new ChaCha12(BigInt.asUintN(64, BigInt(seed)));
}

const TWO_32 = 4294967296;
const INVERSE_TWO_32 = 1 / TWO_32;
/** Up to this n the product of n and a 32-bit number is exact in a double. */
const EXACT_PRODUCT = 2097152;
const BLOCK_WORDS = 16;
const DOUBLE_ROUNDS = 6;

class ChaCha12 implements Random {
  private readonly input = new Int32Array(BLOCK_WORDS);
  private readonly block = new Int32Array(BLOCK_WORDS);
  private used = BLOCK_WORDS;

  constructor(seed: bigint) {
    // "expand 32-byte k"; words 12 and 13 count blocks from 0, words 14 and 15 are the stream number 0.
    this.input.set([0x61707865, 0x3320646e, 0x79622d32, 0x6b206574], 0);
    this.input.set(stretchSeed(seed), 4);
  }

  uint32(): number {
    if (this.used === BLOCK_WORDS) this.refill();
    return this.block[this.used++]! >>> 0;
  }

  below(n: number): number {
    const zone = ((n << Math.clz32(n)) - 1) >>> 0;
    for (;;) {
      const value = this.uint32();
      if (Math.imul(value, n) >>> 0 <= zone) return highHalf(value, n);
    }
  }

  tally(counts: Uint16Array | Uint32Array): void {
    const n = counts.length;
    if (n > EXACT_PRODUCT) {
      for (let draw = 0; draw < n; draw++) counts[this.below(n)]!++;
      return;
    }
    const zone = (n << Math.clz32(n)) - 1;
    const block = this.block;
    let left = n;
    while (left > 0) {
      if (this.used === BLOCK_WORDS) this.refill();
      let used = this.used;
      while (used < BLOCK_WORDS && left > 0) {
        const value = block[used++]!;
        const low = Math.imul(value, n);
        // 1 when low > zone as unsigned numbers. Up to half of all draws are rejected: a branch would be mispredicted
        // so often that it doubles the cost of the whole bootstrap.
        const rejected = ((~zone & low) | ((~zone | low) & (zone - low))) >>> 31;
        counts[((value >>> 0) * n * INVERSE_TWO_32) | 0]! += 1 - rejected;
        left -= 1 - rejected;
      }
      this.used = used;
    }
  }

  unit(): number {
    const high = this.uint32() >>> 5;
    const low = this.uint32() >>> 6;
    return (high * 67108864 + low) / 9007199254740992;
  }

  private refill(): void {
    permute(this.input, this.block);
    this.input[12] = (this.input[12]! + 1) | 0;
    if (this.input[12] === 0) this.input[13] = (this.input[13]! + 1) | 0;
    this.used = 0;
  }
}

/** The upper 32 bits of value · n; where the product would not be exact, value is split in two. */
function highHalf(value: number, n: number): number {
  if (n <= EXACT_PRODUCT) return Math.floor((value * n) / TWO_32);
  const upper = (value >>> 16) * n;
  const carried = (upper % 65536) * 65536 + (value & 0xffff) * n;
  return Math.floor(upper / 65536) + Math.floor(carried / TWO_32);
}

function stretchSeed(seed: bigint): Int32Array {
  const key = new Int32Array(8);
  let state = seed;
  for (let index = 0; index < 8; index++) {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 11634580027462260723n);
    const mixed = Number(BigInt.asUintN(32, ((state >> 18n) ^ state) >> 27n));
    const turn = Number(state >> 59n);
    key[index] = (mixed >>> turn) | (mixed << (32 - turn));
  }
  return key;
}

/** One ChaCha block. The sixteen words live in local variables: this loop is most of the cost of a bootstrap. */
function permute(input: Int32Array, output: Int32Array): void {
  let a0 = input[0]!;
  let a1 = input[1]!;
  let a2 = input[2]!;
  let a3 = input[3]!;
  let b0 = input[4]!;
  let b1 = input[5]!;
  let b2 = input[6]!;
  let b3 = input[7]!;
  let c0 = input[8]!;
  let c1 = input[9]!;
  let c2 = input[10]!;
  let c3 = input[11]!;
  let d0 = input[12]!;
  let d1 = input[13]!;
  let d2 = input[14]!;
  let d3 = input[15]!;
  for (let round = 0; round < DOUBLE_ROUNDS; round++) {
    a0 = (a0 + b0) | 0;
    d0 ^= a0;
    d0 = (d0 << 16) | (d0 >>> 16);
    c0 = (c0 + d0) | 0;
    b0 ^= c0;
    b0 = (b0 << 12) | (b0 >>> 20);
    a0 = (a0 + b0) | 0;
    d0 ^= a0;
    d0 = (d0 << 8) | (d0 >>> 24);
    c0 = (c0 + d0) | 0;
    b0 ^= c0;
    b0 = (b0 << 7) | (b0 >>> 25);
    a1 = (a1 + b1) | 0;
    d1 ^= a1;
    d1 = (d1 << 16) | (d1 >>> 16);
    c1 = (c1 + d1) | 0;
    b1 ^= c1;
    b1 = (b1 << 12) | (b1 >>> 20);
    a1 = (a1 + b1) | 0;
    d1 ^= a1;
    d1 = (d1 << 8) | (d1 >>> 24);
    c1 = (c1 + d1) | 0;
    b1 ^= c1;
    b1 = (b1 << 7) | (b1 >>> 25);
    a2 = (a2 + b2) | 0;
    d2 ^= a2;
    d2 = (d2 << 16) | (d2 >>> 16);
    c2 = (c2 + d2) | 0;
    b2 ^= c2;
    b2 = (b2 << 12) | (b2 >>> 20);
    a2 = (a2 + b2) | 0;
    d2 ^= a2;
    d2 = (d2 << 8) | (d2 >>> 24);
    c2 = (c2 + d2) | 0;
    b2 ^= c2;
    b2 = (b2 << 7) | (b2 >>> 25);
    a3 = (a3 + b3) | 0;
    d3 ^= a3;
    d3 = (d3 << 16) | (d3 >>> 16);
    c3 = (c3 + d3) | 0;
    b3 ^= c3;
    b3 = (b3 << 12) | (b3 >>> 20);
    a3 = (a3 + b3) | 0;
    d3 ^= a3;
    d3 = (d3 << 8) | (d3 >>> 24);
    c3 = (c3 + d3) | 0;
    b3 ^= c3;
    b3 = (b3 << 7) | (b3 >>> 25);
    a0 = (a0 + b1) | 0;
    d3 ^= a0;
    d3 = (d3 << 16) | (d3 >>> 16);
    c2 = (c2 + d3) | 0;
    b1 ^= c2;
    b1 = (b1 << 12) | (b1 >>> 20);
    a0 = (a0 + b1) | 0;
    d3 ^= a0;
    d3 = (d3 << 8) | (d3 >>> 24);
    c2 = (c2 + d3) | 0;
    b1 ^= c2;
    b1 = (b1 << 7) | (b1 >>> 25);
    a1 = (a1 + b2) | 0;
    d0 ^= a1;
    d0 = (d0 << 16) | (d0 >>> 16);
    c3 = (c3 + d0) | 0;
    b2 ^= c3;
    b2 = (b2 << 12) | (b2 >>> 20);
    a1 = (a1 + b2) | 0;
    d0 ^= a1;
    d0 = (d0 << 8) | (d0 >>> 24);
    c3 = (c3 + d0) | 0;
    b2 ^= c3;
    b2 = (b2 << 7) | (b2 >>> 25);
    a2 = (a2 + b3) | 0;
    d1 ^= a2;
    d1 = (d1 << 16) | (d1 >>> 16);
    c0 = (c0 + d1) | 0;
    b3 ^= c0;
    b3 = (b3 << 12) | (b3 >>> 20);
    a2 = (a2 + b3) | 0;
    d1 ^= a2;
    d1 = (d1 << 8) | (d1 >>> 24);
    c0 = (c0 + d1) | 0;
    b3 ^= c0;
    b3 = (b3 << 7) | (b3 >>> 25);
    a3 = (a3 + b0) | 0;
    d2 ^= a3;
    d2 = (d2 << 16) | (d2 >>> 16);
    c1 = (c1 + d2) | 0;
    b0 ^= c1;
    b0 = (b0 << 12) | (b0 >>> 20);
    a3 = (a3 + b0) | 0;
    d2 ^= a3;
    d2 = (d2 << 8) | (d2 >>> 24);
    c1 = (c1 + d2) | 0;
    b0 ^= c1;
    b0 = (b0 << 7) | (b0 >>> 25);
  }
  output[0] = a0 + input[0]!;
  output[1] = a1 + input[1]!;
  output[2] = a2 + input[2]!;
  output[3] = a3 + input[3]!;
  output[4] = b0 + input[4]!;
  output[5] = b1 + input[5]!;
  output[6] = b2 + input[6]!;
  output[7] = b3 + input[7]!;
  output[8] = c0 + input[8]!;
  output[9] = c1 + input[9]!;
  output[10] = c2 + input[10]!;
  output[11] = c3 + input[11]!;
  output[12] = d0 + input[12]!;
  output[13] = d1 + input[13]!;
  output[14] = d2 + input[14]!;
  output[15] = d3 + input[15]!;
}
