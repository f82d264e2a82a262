import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { valueAt } from '../../../src/probe/linux/runtimes/go/functions.js';
import { parseAnswer } from '../../../src/probe/stacks/node/ask-node.js';
import { FrameReader } from '../../../src/probe/stacks/node/web-socket.js';
import { parseDump } from '../../../src/probe/stacks/parse-dump.js';
import { lineAt } from '../../../src/probe/stacks/python/frames.js';
import { pytestTest } from '../../../src/probe/stacks/read-stacks.js';

describe('what tools print', () => {
  it('jstack: threads and frames, and nothing of the deadlock it repeats', () => {
    const text = `2026-11-17 03:51:16
Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6):

"main" #1 prio=5 os_prio=0 cpu=309.82ms elapsed=25.61s tid=0x00007f20 nid=0x5608 waiting for monitor entry  [0x00007f20]
   java.lang.Thread.State: BLOCKED (on object monitor)
\tat LocksTest.take(LocksTest.java:7)
\t- waiting to lock <0x0000000715a3b8d0> (a java.lang.Object)
\tat java.lang.Thread.sleep(java.base@17.0.15/Native Method)

   Locked ownable synchronizers:
\t- None

Found one Java-level deadlock:
"main":
\tat LocksTest.take(LocksTest.java:7)
`;
    expect(parseDump('jstack', 4, text)).toEqual([
      {
        pid: 4,
        tid: 0x5608,
        name: 'main',
        language: 'java',
        from: 'jstack',
        frames: [
          { function: 'LocksTest.take', file: 'LocksTest.java', line: 7 },
          { function: 'java.lang.Thread.sleep', file: null, line: null },
        ],
      },
    ]);
  });

  it('gdb: frames with and without a place', () => {
    const text = `[New LWP 30722]
Thread 2 (Thread 0x7f9e1f6986c0 (LWP 30722) "tests::two_lock"):
#0  syscall () at ../sysdeps/unix/sysv/linux/x86_64/syscall.S:38
#5  0x00005576412f29ce in suite::tests::take (first=..., second=...) at src/lib.rs:9
#6  0x00007f9e1f7251f5 in start_thread () from /lib/libc.so.6
`;
    const [thread] = parseDump('gdb', 4, text);
    expect(thread).toMatchObject({ tid: 30722, name: 'tests::two_lock' });
    expect(thread?.frames.map(({ function: name, line }) => [name, line])).toEqual([
      ['syscall', 38],
      ['suite::tests::take', 9],
      ['start_thread', null],
    ]);
  });

  it('py-spy: threads and lines', () => {
    const text = `Process 6625: python3\n\nThread 6625 (idle): "MainThread"\n    join (threading.py:1119)\n`;
    expect(parseDump('py-spy', 6625, text)[0]?.frames).toEqual([
      { function: 'join', file: 'threading.py', line: 1119 },
    ]);
  });

  const tools = fc.constantFrom('py-spy', 'jstack', 'gdb' as const);
  property.prop([tools, fc.string({ unit: 'binary', maxLength: 3000 })])(
    'any text is read, with at most 100 frames for each stack',
    (tool, text) => {
      const prefixed = `Thread 2 (Thread 0x7 (LWP 3) "a"):\n#0  ${text}\n\tat ${text}\n"a" nid=7\n    ${text}`;
      const stacks = [...parseDump(tool as 'gdb', 4, text), ...parseDump(tool as 'gdb', 4, prefixed)];
      for (const { frames } of stacks) expect(frames.length).toBeLessThanOrEqual(100);
    },
  );
});

describe('tables of lines', () => {
  it('Python: the line of each instruction', () => {
    // Two units in the first line, one without a place, one three lines further on.
    const table = Uint8Array.from([0x80 | (0 << 3) | 1, 0, 0x80 | (15 << 3), 0x80 | (13 << 3), 6]);
    expect([0, 2, 4, 6, 8].map((offset) => lineAt(table, 10, offset))).toEqual([10, 10, null, 13, null]);
  });

  it('Go: the value of each address', () => {
    // From -1: 11 up for 4 bytes, then 2 down for 3.
    const table = Uint8Array.from([22, 4, 3, 3, 0]);
    expect([0, 3, 4, 6, 7].map((offset) => valueAt(table, offset, 1))).toEqual([10, 10, 8, 8, null]);
  });

  property.prop([fc.uint8Array({ maxLength: 300 }), fc.nat(), fc.nat()])(
    'any bytes give a valid number or none',
    (bytes, first, at) => {
      expect(lineAt(bytes, first, at) ?? 1).toBeGreaterThan(0);
      expect(valueAt(bytes, at, 1) ?? 0).toBeTypeOf('number');
    },
  );
});

describe('what programs report about themselves', () => {
  it('pytest exports the test without its phase', () => {
    expect(pytestTest('a/test_x.py::test_y[call (setup)] (call)')).toEqual({
      name: 'a/test_x.py::test_y[call (setup)]',
      file: 'a/test_x.py',
      line: null,
      from: 'environment',
    });
    expect(pytestTest(null)).toBeNull();
  });

  property.prop([fc.anything()])('an answer is an object or nothing', (value) => {
    const answer = parseAnswer(typeof value === 'string' ? value : JSON.stringify(value));
    expect(typeof answer).toBe('object');
  });

  property.prop([fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 20 })])(
    'any bytes on a connection are taken without an error',
    (chunks) => {
      const reader = new FrameReader(
        () => undefined,
        () => undefined,
      );
      for (const chunk of chunks) reader.push(Buffer.from(chunk));
    },
  );

  property.prop([fc.array(fc.string({ maxLength: 300 })), fc.integer({ min: 1, max: 7 })])(
    'messages come whole, however they are cut',
    (texts, size) => {
      const heard: string[] = [];
      const reader = new FrameReader(
        (text) => heard.push(text),
        () => heard.push('failed'),
      );
      const bytes = Buffer.concat(texts.map(serverFrame));
      for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
      expect(heard).toEqual(texts.map((text) => Buffer.from(text).toString()));
    },
  );
});

function serverFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const head = payload.length < 126 ? Buffer.from([0x81, payload.length]) : Buffer.from([0x81, 126, 0, 0]);
  if (payload.length >= 126) head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, payload]);
}
