import { describe, expect, test } from 'vitest';
import { whySnapshot } from '../../../src/control/why-snapshot.js';
import { type Snapshot, snapshotVersion } from '../../../src/model/facts/snapshot.js';
import { Failure } from '../../../src/model/failure.js';
import { parseSnapshot } from '../../../src/probe/replay/parse-snapshot.js';
import { snapshotLimits } from '../../../src/probe/replay/schema-fields.js';
import { frozenSnapshots, recordedSnapshots } from './frozen.js';

const frozen = frozenSnapshots();
const sample = frozen.find(([name]) => name === 'cat-chain.snapshot')?.[1] ?? '';

function failure(text: string): Failure {
  try {
    parseSnapshot(text, '/tmp/some file.json');
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

/** The sample with something done to it. */
function changed(change: (snapshot: Snapshot) => unknown): string {
  const snapshot = JSON.parse(sample) as Snapshot;
  change(snapshot);
  return JSON.stringify(snapshot);
}

// biome-ignore lint/suspicious/noExplicitAny: what is written here is wrong on purpose
const wrong = (value: unknown): any => value;

const first = ({ processes }: Snapshot) => processes[0] as Snapshot['processes'][number];

describe('snapshots of version 1 load for ever', () => {
  test('there are some, of both probes', () => {
    const probes = frozen.map(([, text]) => (JSON.parse(text) as Snapshot).probe);
    expect(frozen.length).toBeGreaterThanOrEqual(25);
    expect(new Set(probes)).toEqual(new Set(['linux', 'portable']));
  });

  test.each(frozen)('%s', (name, text) => {
    const snapshot = parseSnapshot(text, name);
    expect(snapshot).toMatchObject(JSON.parse(text));
    const { target, verdict } = whySnapshot(snapshot);
    expect(target.pid).toBe(snapshot.targetPid);
    expect(verdict.reason).not.toBe('');
  });

  test('so does everything that was recorded since, with what is not known of fields that came later', () => {
    for (const [name, text] of recordedSnapshots())
      expect([name, parseSnapshot(text, name)]).toMatchObject([name, JSON.parse(text)]);
  });

  test('fields of a later unstuck are dropped, not fatal', () => {
    const text = changed((snapshot) => {
      Object.assign(snapshot, { weather: 'fine' });
      Object.assign(first(snapshot), { mood: { good: true } });
      Object.assign(first(snapshot).threads[0] ?? {}, { colour: 'red' });
    });
    expect(text).toContain('weather');
    expect(parseSnapshot(text, 'x')).toEqual(parseSnapshot(sample, 'x'));
  });

  test('nothing can be smuggled in through the prototype', () => {
    const parsed = parseSnapshot(sample.replace('{', '{"__proto__":{"processes":[]},"constructor":1,'), 'x');
    expect(parsed).toEqual(parseSnapshot(sample, 'x'));
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
  });
});

describe('a file that is no snapshot: what it is, where, and what to do', () => {
  test.each([
    ['empty', '', 'it is empty'],
    ['white', ' \n\t', 'it is empty'],
    ['text', 'root:x:0:0:root:/root:/bin/bash\n', 'it is not JSON, or it was cut off'],
    ['broken inside', sample.replace(':', ';'), 'it is not JSON'],
    ['cut off', sample.slice(0, sample.length / 2), 'it was cut off'],
    ['cut off at the last character', sample.trimEnd().slice(0, -1), 'it was cut off'],
    ['an array', '[]', 'it is not of type object'],
    ['null', 'null', 'it is not of type object'],
    ['a number', '5', 'it is not of type object'],
    ['another format', '{"name":"unstuck","version":"0.1.0"}', 'format is not "unstuck-snapshot"'],
    ['no version', '{"format":"unstuck-snapshot"}', 'version is missing'],
    ['version 0', '{"format":"unstuck-snapshot","version":0}', 'version is less than'],
    [
      'half a version',
      '{"format":"unstuck-snapshot","version":1.5}',
      'version is missing, or not of type int',
    ],
    ['a header only', '{"format":"unstuck-snapshot","version":1}', 'probe is none of linux, portable'],
  ])('%s', (_, text, problem) => {
    const { code, message, hint } = failure(text);
    expect(code).toBe('bad-snapshot');
    expect(message).toContain('/tmp/some file.json');
    expect(message).toContain(problem);
    expect(hint).toContain('--save');
  });

  test('it does not quote the file, which may hold anything', () => {
    expect(failure('password=hunter2\n').message).not.toContain('hunter2');
  });

  test('written by a newer unstuck', () => {
    const { code, message, hint } = failure(changed((snapshot) => Object.assign(snapshot, { version: 7 })));
    expect(code).toBe('future-snapshot');
    expect(message).toContain(
      `written by a newer unstuck (snapshot version 7, this one knows ${snapshotVersion})`,
    );
    expect(hint).toContain('update');
    expect(failure('{"format":"unstuck-snapshot","version":99}').code).toBe('future-snapshot');
  });

  test('the target is not among the processes', () => {
    expect(failure(changed((snapshot) => Object.assign(snapshot, { targetPid: 1 }))).message).toContain(
      'targetPid (1) is not among the processes',
    );
    expect(failure(changed((snapshot) => Object.assign(snapshot, { processes: [] }))).code).toBe(
      'bad-snapshot',
    );
  });

  test('a process twice', () => {
    const { message } = failure(changed(({ processes }) => processes.push(...processes.slice(0, 1))));
    expect(message).toMatch(/processes\[\d+\]\.pid is there twice/);
  });
});

describe('the first bad place is named', () => {
  test.each<[place: string, change: (snapshot: Snapshot) => unknown]>([
    ['processes[3].threads[0].tid', (s) => delete wrong(s.processes[3]?.threads[0]).tid],
    ['processes[0].pid', (s) => Object.assign(first(s), { pid: 'x' })],
    ['processes[0].pid', (s) => Object.assign(first(s), { pid: 0 })],
    ['processes[0].pid', (s) => Object.assign(first(s), { pid: 2 ** 40 })],
    ['processes[0].state', (s) => Object.assign(first(s), { state: 'Q' })],
    ['processes[0].signals.caught', (s) => Object.assign(wrong(first(s).signals), { caught: '0x' })],
    ['processes[0].signals.blocked', (s) => Object.assign(wrong(first(s).signals), { blocked: '-1' })],
    [
      'processes[1].threads[0].call.args[2]',
      (s) => wrong(s.processes[1]?.threads[0]?.call).args.splice(2, 1, '12'),
    ],
    ['processes[1].threads[0].call.args', (s) => wrong(s.processes[1]?.threads[0]?.call).args.push('0x0')],
    [
      'processes[1].threads[0].call.at',
      (s) => Object.assign(wrong(s.processes[1]?.threads[0]?.call), { at: 'x' }),
    ],
    ['processes[1].threads[0].call', (s) => Object.assign(wrong(s.processes[1]?.threads[0]), { call: 5 })],
    ['processes[0].fds[1].kind', (s) => Object.assign(wrong(first(s).fds)[1], { kind: 'blob' })],
    ['processes[0].fds[0].detail.of', (s) => Object.assign(wrong(first(s).fds)[0], { detail: { of: 'x' } })],
    [
      'processes[0].fds[0].detail.mask',
      (s) => Object.assign(wrong(first(s).fds)[0], { detail: { of: 'signalfd', mask: 'zz' } }),
    ],
    ['processes[0].name', (s) => Object.assign(first(s), { name: 'x'.repeat(snapshotLimits.chars + 1) })],
    ['reader.lineage[0]', (s) => Object.assign(s.reader, { lineage: [null] })],
    ['gapMs', (s) => Object.assign(s, { gapMs: -1 })],
    ['absent[0].source', (s) => Object.assign(s, { absent: [{ source: 'tea', pid: 1, reason: 'gone' }] })],
    ['searched', (s) => delete wrong(s).searched],
  ])('%s', (place, change) => {
    expect(failure(changed(change)).message).toContain(`: ${place} is `);
  });

  test('values that are no numbers', () => {
    expect(failure(sample.replace(/"gapMs":[\d.]+/, '"gapMs":1e999')).message).toContain('gapMs');
    expect(failure(sample.replace(/"gapMs":[\d.]+/, '"gapMs":null')).message).toContain('gapMs');
  });
});

describe('everything has a limit', () => {
  const [process] = (JSON.parse(sample) as Snapshot).processes;
  const copies = <T>(value: T, count: number): T[] => Array.from({ length: count }, () => value);
  const thread = process?.threads[0];
  const fd = { fd: 1, kind: 'null', link: '/dev/null', object: '/dev/null', read: true, write: true };

  test.each<[place: string, change: (snapshot: Snapshot) => unknown]>([
    ['processes', (s) => Object.assign(s, { processes: copies(process, snapshotLimits.processes + 1) })],
    [
      'processes[0].threads',
      (s) => Object.assign(first(s), { threads: copies(thread, snapshotLimits.threadsPerProcess + 1) }),
    ],
    [
      'processes[0].fds',
      (s) => Object.assign(first(s), { fds: copies(fd, snapshotLimits.fdsPerProcess + 1) }),
    ],
    ['sockets', (s) => Object.assign(s, { sockets: copies({}, snapshotLimits.sockets + 1) })],
  ])('%s', (place, change) => {
    const { code, message } = failure(changed(change));
    expect(code).toBe('bad-snapshot');
    expect(message).toContain(place);
  });

  test('just below the limit is read in reasonable time', () => {
    const before = globalThis.process.cpuUsage();
    const text = changed((s) => Object.assign(first(s), { fds: copies(fd, snapshotLimits.fdsPerProcess) }));
    expect(parseSnapshot(text, 'x').processes[0]?.fds).toHaveLength(snapshotLimits.fdsPerProcess);
    const { user, system } = globalThis.process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(5000);
  });
});
