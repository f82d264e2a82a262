import { fc, test as property } from '@fast-check/vitest';
import { expect } from 'vitest';
import { GoPages } from '../../../../../src/probe/linux/runtimes/go/pages.js';
import { context } from '../hand-made-memory.js';

const page = 4096;

property.prop([fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 5 })])(
  'memory can be read wherever it begins and ends, with nothing mapped before and behind it',
  (start, length) => {
    const bytes = Buffer.alloc(length * page);
    for (let at = 0; at < bytes.length; at += 8) bytes.writeUInt32LE(at + 1, at);
    const from = start * page;
    const pages = new GoPages(context([], [BigInt(from), bytes]).memory);
    const words = pages.words(from, from + bytes.length);
    expect(words.length).toBe(bytes.length / 8);
    expect([words[0], words.at(-1)]).toEqual([1, bytes.length - 7]);
    expect(pages.word(from + bytes.length - 8)).toBe(bytes.length - 7);
    expect(pages.words(from, from + bytes.length + 8).length).toBe(bytes.length / 8);
    expect(pages.word(from + bytes.length)).toBeNull();
  },
);
