import { describe, expect, test } from 'vitest';
import { parseStat } from '../../../../src/probe/linux/proc/stat.js';
import { ByteReader, takeIo, takeStat } from '../../../../src/probe/linux/sample/bytes.js';

const fields =
  'S 41 42 42 34816 42 4194304 1200 0 3 0 17 5 230 11 20 0 7 0 8123456 9437184 393 18446744073709551615 1 1 0 0 0 0';

function readerOf(text: string): ByteReader {
  const bytes = Buffer.alloc(2048, 'x');
  const reader = new ByteReader(bytes);
  reader.begin(bytes.write(text, 'latin1'));
  return reader;
}

describe('/proc/PID/stat as bytes', () => {
  const names = [
    'sleep',
    '',
    ') R 1 (',
    '((',
    'a b)',
    '9 9 9',
    'kworker/R-'.padEnd(64, ')'),
    '\\n'.repeat(32),
  ];

  test.each(names)('a process named %j', (name) => {
    const line = `4194304 (${name}) ${fields}\n`;
    expect(takeStat(readerOf(line))).toEqual({
      state: 'S',
      parent: 41,
      cpuTicks: 22,
      reapedCpuTicks: 241,
      threads: 7,
      startTicks: 8123456,
      residentPages: 393,
    });
    expect(parseStat(Buffer.from(line, 'latin1'))).toMatchObject({
      parent: 41,
      threads: 7,
      startTicks: 8123456,
    });
  });

  test('an unknown letter is the state ?', () => {
    expect(takeStat(readerOf(`1 (x) ${fields.replace('S', 'Q')}`))).toMatchObject({ state: '?', parent: 41 });
  });

  test.each(['', '1', '1 (sleep', '1 (sleep)'])('%j is no such line', (text) => {
    expect(takeStat(readerOf(text))).toBeNull();
  });

  test('what the buffer held before is not read', () => {
    const reader = readerOf(`1 (long name) ${fields}`);
    reader.begin(8);
    expect(takeStat(reader)).toBeNull();
  });
});

test('/proc/PID/io as bytes', () => {
  const text =
    'rchar: 323934931\nwchar: 323929600\nsyscr: 632687\nsyscw: 632675\nread_bytes: 4096\nwrite_bytes: 9007199254740991\ncancelled_write_bytes: 7\n';
  expect(takeIo(readerOf(text))).toEqual({
    readChars: 323934931,
    writeChars: 323929600,
    readBytes: 4096,
    writeBytes: 9007199254740991,
  });
});
