import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import {
  isKernelThread,
  memoryOrigin,
  parseStat,
  parseTaskStat,
} from '../../../../src/probe/linux/proc/stat.js';

/** Fields 3 to 52 of a sleeping bash on a terminal: the number of a field is its value, where nothing else matters. */
const tail = Array.from({ length: 50 }, (_, index) => String(index + 3));
tail[0] = 'S';

const line = (name: Buffer | string, fields: readonly string[] = tail): Buffer =>
  Buffer.concat([
    Buffer.from('4242 ('),
    Buffer.isBuffer(name) ? name : Buffer.from(name),
    Buffer.from(`) ${fields.join(' ')}\n`),
  ]);

const numbers = {
  pid: 4242,
  state: 'S',
  parent: 4,
  group: 5,
  session: 6,
  terminal: 7,
  foregroundGroup: 8,
  flags: 9,
  utimeTicks: 14,
  stimeTicks: 15,
  childTicks: 16 + 17,
  threads: 20,
  startTicks: 22,
  residentPages: 24,
  processor: 39,
  exitStatus: 52,
};

describe('stat: a process may call itself anything', () => {
  test.each([
    ['a plain name', 'bash'],
    ['no name', ''],
    ['spaces', 'tmux: server'],
    ['a closing parenthesis', 'a) b'],
    ['something that looks like the rest', 'x) R 1 (y'],
    ['the start of another process', ') S 1 1 1 0 -1 4194560 1 1'],
    ['parentheses only', '))))('],
    ['a newline', 'two\nlines'],
    ['a newline and a whole line', 'x\n1 (init) S 0'],
  ])('%s', (_, name) => {
    expect(parseStat(line(name))).toEqual({ name, ...numbers });
  });

  test('bytes that are no UTF-8 are replaced, and the fields after them still stand', () => {
    const parsed = parseStat(line(Buffer.from([0x61, 0xff, 0xfe, 0x29, 0x80])));
    expect(parsed).toMatchObject({ ...numbers, name: 'a��)�' });
  });

  property.prop([fc.uint8Array({ maxLength: 15 })])('any 15 bytes are a name', (bytes) => {
    const name = Buffer.from(bytes);
    expect(parseStat(line(name))).toEqual({ name: name.toString('utf8'), ...numbers });
  });
});

describe('stat: what else may come', () => {
  test('a state letter we do not know is no state', () => {
    expect(parseStat(line('x', ['W', ...tail.slice(1)]))?.state).toBe('?');
  });

  test('a kernel thread is recognised by its flag', () => {
    const fields = [...tail];
    fields[6] = '2129984';
    expect(parseStat(line('kthreadd', fields))).toSatisfy(isKernelThread);
    expect(parseStat(line('bash'))).not.toSatisfy(isKernelThread);
  });

  test('kernels that print fewer fields: missing fields are 0', () => {
    expect(parseStat(line('old', tail.slice(0, 42)))?.exitStatus).toBe(0);
  });

  test.each(['', '1', '1 (', '1 (x', '1 (x)', '1 (x) S', ') ('])('%j is nothing', (text) => {
    expect(parseStat(Buffer.from(text))).toBeNull();
  });

  property.prop([fc.uint8Array({ maxLength: 300 })])('any bytes are read without an error', (bytes) => {
    expect(() => parseStat(Buffer.from(bytes))).not.toThrow();
  });
});

describe('where a memory began', () => {
  test('code and stack, whatever the name of the process', () => {
    expect(memoryOrigin(line('a) b'))).toBe('26 28');
  });

  test('is not known where the kernel hides it, or the line ends early', () => {
    const hidden = tail.map((field, index) => (index === 28 - 3 ? '0' : field));
    expect(memoryOrigin(line('bash', hidden))).toBeNull();
    expect(memoryOrigin(Buffer.from('4242 (bash) S 1'))).toBeNull();
  });
});

describe('the stat of a thread: only some fields are parsed', () => {
  property.prop([fc.uint8Array({ maxLength: 15 }), fc.constantFrom(...'RSDTtZXIPWq'), fc.nat({ max: 9999 })])(
    'they are those of the whole line',
    (bytes, state, processor) => {
      const fields = tail.with(0, state).with(39 - 3, String(processor));
      const whole = parseStat(line(Buffer.from(bytes), fields));
      expect(parseTaskStat(line(Buffer.from(bytes), fields))).toEqual({
        name: whole?.name,
        state: whole?.state,
        processor: whole?.processor,
      });
    },
  );

  test.each(['', '1 (a', '1 (a)', '1 (a) ', '1 (a) S 1 1'])('%j is none', (text) => {
    expect(parseTaskStat(Buffer.from(text))).toBeNull();
  });
});
