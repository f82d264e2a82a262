import { describe, expect, test } from 'vitest';
import { Failure } from '../../../../src/model/failure.js';
import { assemble } from '../../../../src/probe/linux/capture/assemble.js';
import { parseCapture } from '../../../../src/probe/linux/capture/capture-file.js';
import { collect } from '../../../../src/probe/linux/capture/collect.js';
import { collectorScript } from '../../../../src/probe/linux/capture/collector.js';
import { type Frame, parseFrames } from '../../../../src/probe/linux/capture/frames.js';
import { parseLinks } from '../../../../src/probe/linux/capture/links.js';
import { maskFrame } from '../../../../src/probe/linux/capture/mask.js';
import { splitThreads } from '../../../../src/probe/linux/capture/thread-files.js';

const frame = (letter: string, name: string, content = ''): Frame => ({
  letter,
  name,
  bytes: Buffer.from(content),
});
const machine = frame('i', 'machine', '77\n6.1.0\nx86_64\n1700000000\n123.45\n');
const whole = [machine, frame('f', '/proc/5/stat', '5 (x) S'), frame('z', '124.00'), frame('e', '124.10')];

function failureOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
  return 'no failure';
}

describe('frames', () => {
  test('text before the first frame is ignored, content keeps every byte', () => {
    const stream = Buffer.from('Welcome to this host\n\nM0 f /a\nline\n\nM1 f /b\nx\nM0 e 1\n');
    expect(
      parseFrames(stream, 'M0').map(({ letter, name, bytes }) => [letter, name, bytes.toString()]),
    ).toEqual([
      ['f', '/a', 'line\n\nM1 f /b\nx'],
      ['e', '1', ''],
    ]);
  });

  test('a stream without frames, or of garbage, has none', () => {
    for (const garbage of ['', '\n', 'M0', '\nM0 ', '\nM0 f /proc'])
      expect(parseFrames(Buffer.from(garbage), 'M0')).toEqual([]);
  });

  test('a capture that is cut, doubled, or goes on after its end is refused', () => {
    expect(assemble(5, whole).gapMs).toBe(550);
    const problems: [frames: Frame[], says: RegExp][] = [
      [[], /does not say where/],
      [whole.slice(0, -1), /cut off/],
      [[machine, frame('e', '1')], /cut off/],
      [whole.slice(1), /does not say where/],
      [[machine, frame('f', '/a'), frame('f', '/a')], /twice/],
      [[machine, frame('l', '', lines('0')), frame('l', '', lines('0'))], /twice/],
      [[...whole, frame('f', '/b')], /after its end/],
      [[frame('q', '/b')], /unknown kind/],
      [[frame('x', 'because /b')], /unknown reason/],
    ];
    for (const [frames, says] of problems) expect(failureOf(() => assemble(5, frames))).toMatch(says);
  });

  test('a process that is read whole replaces what was read of it before', () => {
    const frames = [machine, frame('f', '/proc/5/stat', 'old'), frame('d', '5'), ...whole.slice(1)];
    expect(assemble(5, frames).first.files.get('/proc/5/stat')?.toString()).toBe('5 (x) S');
  });
});

const lines = (...fds: string[]): string =>
  fds.map((fd) => `lr-x------ 1 0 0 64 Nov 17 13:00 /proc/5/fd/${fd} -> pipe:[9]`).join('\n');

describe('links', () => {
  test('modes and targets of GNU ls and busybox ls', () => {
    expect(
      parseLinks(
        `${lines('0')}\nl-wx------    1 0        0               64 Nov 17 13:00 /proc/5/fd/1 -> /tmp/a b`,
      ),
    ).toEqual([
      { path: '/proc/5/fd/0', target: 'pipe:[9]', mode: 0o500 },
      { path: '/proc/5/fd/1', target: '/tmp/a b', mode: 0o300 },
    ]);
  });

  test('a name with line feeds that pretends another link makes that link unknown', () => {
    const forged = `lr-x------ 1 0 0 64 Nov 17 13:00 /proc/5/fd/3 -> /tmp/x\n${lines('0')}\n${lines('0')}`;
    expect(parseLinks(forged).map(({ path }) => path)).toEqual(['/proc/5/fd/3']);
  });

  test('a link that may not be read has no target', () => {
    expect(parseLinks('lrwx------ 1 0 0 64 Nov 17 13:00 /proc/5/fd/7')).toMatchObject([{ target: null }]);
  });
});

test('files of all threads are divided by thread, whatever their names are', () => {
  const numbers = ' 1'.repeat(49);
  const stats = `5 (a) b) S${numbers}\n6 (x\n7 (y) R 1) S${numbers}\n`;
  expect([...splitThreads('stat', Buffer.from(stats)).keys()]).toEqual([5, 6]);
  const scheds =
    'a (5, #threads: 2)\n-----\nse.exec_start   :   12.5\nb\n(6, #threads: 2)\n---\nse.exec_start : 1.0\n';
  expect([...splitThreads('sched', Buffer.from(scheds)).keys()]).toEqual([5, 6]);
});

test('a stored capture has no secrets of command lines and mounts', () => {
  const command = maskFrame(frame('f', '/proc/5/cmdline', 'curl\0--token\0sekrit\0-u\0me:pass\0'));
  expect(command.bytes.toString()).not.toMatch(/sekrit/);
  const mounts = maskFrame(
    frame('f', '/mnt:[1]/mountinfo', '36 35 0:1 / /mnt rw - cifs //me:pw@host/x rw,password=p\n'),
  );
  expect(mounts.bytes.toString()).toBe('36 35 0:1 / /mnt rw - cifs\n');
});

test('a file that is no capture is refused, whatever it contains', () => {
  const bad = [
    {},
    { format: 'unstuck-capture' },
    { format: 'unstuck-capture', version: 1, targetPid: -1, frames: [] },
  ];
  for (const json of [...bad, null, [], 'x'])
    expect(failureOf(() => parseCapture(json))).toMatch(/right form/);
  const next = { format: 'unstuck-capture', version: 2, targetPid: 1, frames: [] };
  expect(failureOf(() => parseCapture(next))).toMatch(/newer/);
});

test('a place that prints something else is no place to read', async () => {
  await expect(collect(1, async () => Buffer.from('sh: not found\n'))).rejects.toThrow(/no sh, or no \/proc/);
});

test('the collector never reads an environment', () => {
  expect(collectorScript(1, 'M')).not.toMatch(/environ/);
});
