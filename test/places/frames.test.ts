import { fc, test as property } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { type Frame, FrameReader } from '../../src/places/frames.js';

function read(bytes: Buffer, cuts: readonly number[]): Frame[] {
  const frames: Frame[] = [];
  const reader = new FrameReader('m', (frame) => frames.push(frame));
  let from = 0;
  for (const cut of [...cuts.map((one) => one % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)) {
    for (let isDone = reader.push(bytes.subarray(from, cut)); !isDone; ) isDone = reader.more();
    from = cut;
  }
  return frames;
}

/** Pieces of the same output are one again. */
function joined(frames: readonly Frame[]): string {
  return frames
    .filter((frame) => frame.kind === 'output')
    .map(({ bytes }) => bytes.toString('latin1'))
    .join('');
}

property.prop([fc.uint8Array({ maxLength: 200 }), fc.string(), fc.array(fc.nat(500))])(
  'frames are the same, however the bytes are cut',
  (output, said, cuts) => {
    const text = said.replaceAll('\nm.', '');
    const bytes = Buffer.concat([
      Buffer.from('h\n'),
      Buffer.from(`o run_1 0 5 ${output.length}\n`),
      Buffer.from(output),
      Buffer.from(`r 3 1\n${text}\nm.3\n`),
      Buffer.from('s run_1 2 7 0 gone\n'),
    ]);
    const frames = read(bytes, cuts);
    expect(joined(frames)).toBe(Buffer.from(output).toString('latin1'));
    expect(frames.filter(({ kind }) => kind !== 'output')).toEqual([
      { kind: 'hello' },
      { kind: 'answer', id: 3, status: 1, text },
      { kind: 'state', run: 'run_1', agoS: 2, sent: [7, 0], fields: ['gone'] },
    ]);
  },
);

property.prop([fc.uint8Array()])('any bytes are read or refused, never more', (bytes) => {
  try {
    read(Buffer.from(bytes), []);
  } catch (error) {
    expect(error).toBeInstanceOf(Error);
  }
});

test('bytes that no session sends are refused', () => {
  expect(() => read(Buffer.from('hello\n'), [])).toThrow(/no known letter/);
  expect(() => read(Buffer.from('h\nh\n'), [])).toThrow(/begins twice/);
  expect(() => read(Buffer.from('o run_1 0 x 5\n'), [])).toThrow(/is not a number/);
});

test('one turn has a limited number of frames', () => {
  let count = 0;
  const reader = new FrameReader('m', () => {
    count += 1;
  });
  expect(reader.push(Buffer.from('s run_1 2 7 0 gone\n'.repeat(1000)))).toBe(false);
  expect(count).toBeLessThan(100);
  while (!reader.more());
  expect(count).toBe(1000);
});
