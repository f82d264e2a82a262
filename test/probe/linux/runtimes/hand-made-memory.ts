import type { Absent } from '../../../../src/model/facts/absence.js';
import { Memory } from '../../../../src/probe/linux/proc/mem.js';
import { type CallContext, decodeArguments } from '../../../../src/probe/linux/snapshot/arguments.js';

/** Memory made by hand: pieces at addresses; what lies between them is not mapped. */
class HandMadeMemory extends Memory {
  readonly #pieces: [address: bigint, bytes: Buffer][];

  constructor(...pieces: [address: bigint, bytes: Buffer][]) {
    super(() => ({ absent: 'failed' }));
    this.#pieces = pieces;
  }

  override read(address: bigint, length: number): Buffer | Absent {
    for (const [start, bytes] of this.#pieces) {
      const from = Number(address - start);
      if (from >= 0 && from < bytes.length) return bytes.subarray(from, from + length);
    }
    return { absent: 'failed' };
  }
}

/** Where the first piece lies. */
export const at = 0x1000n;

export function context(args: bigint[], ...pieces: [bigint, Buffer][]): CallContext {
  return {
    args,
    memory: new HandMadeMemory(...pieces),
    sharedMapping: (address) => `mapping of ${address.toString(16)}`,
    clockMs: (clock) => ({ realtime: 1_000_000, monotonic: 50_000, boottime: 60_000 })[clock],
  };
}

/** What the decoder of a call makes of these arguments over this memory. */
export const decode = (name: string, args: bigint[], ...pieces: [bigint, Buffer][]) =>
  decodeArguments(name, context(args, ...pieces));

export const pair = (first: bigint, second: bigint): Buffer => {
  const bytes = Buffer.alloc(16);
  bytes.writeBigInt64LE(first, 0);
  bytes.writeBigInt64LE(second, 8);
  return bytes;
};

export const words = (...values: number[]): Buffer => Buffer.from(new Uint32Array(values).buffer);

export const minusOne = 0xffffffffffffffffn;
export const minusOne32 = 0xffffffffn;
export const never = { ms: null, absolute: false };
