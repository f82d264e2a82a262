import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { parseCgroup } from '../../../../src/probe/linux/proc/cgroup.js';
import { countEndingTimers, countTimers, parseIo } from '../../../../src/probe/linux/proc/counters.js';
import { runIdIn } from '../../../../src/probe/linux/proc/environ.js';
import { parseExecStartMs, parseSchedstat } from '../../../../src/probe/linux/proc/schedstat.js';
import { parseStatus } from '../../../../src/probe/linux/proc/status.js';

const status = [
  'Name:\tnode',
  'State:\tS (sleeping)',
  'Uid:\t1000\t1001\t1002\t1003',
  'NSpid:\t12164\t41\t3',
  'VmRSS:\t   45678 kB',
  'SigBlk:\t0000000000000001',
  'SigIgn:\t0000000001001000',
  'SigCgt:\t0000000188004002',
  'nonvoluntary_ctxt_switches:\t3',
];

describe('status', () => {
  test('the effective user, the ids of inner namespaces, the signals', () => {
    expect(parseStatus(`${status.join('\n')}\n`)).toEqual({
      uid: 1001,
      namespacePids: [12164, 41, 3],
      caught: '0000000188004002',
      ignored: '0000000001001000',
      blocked: '0000000000000001',
      memoryKb: 45678,
      seccomp: 0,
      tracer: 0,
    });
  });

  test('whether a filter decides about its calls; a kernel without filters has no such line', () => {
    expect(parseStatus('Name:\tx\nSeccomp:\t2\nSeccomp_filters:\t1\n').seccomp).toBe(2);
    expect(parseStatus('Name:\tx\n').seccomp).toBe(0);
  });

  test('a kernel thread has no memory, an old kernel no NSpid', () => {
    const few = status.filter((line) => !/^(VmRSS|NSpid)/.test(line)).join('\n');
    expect(parseStatus(few)).toMatchObject({ memoryKb: null, namespacePids: [] });
  });

  test('the first line counts, and so does a last line without a newline', () => {
    expect(parseStatus('Uid:\t1\t2\t3\t4').uid).toBe(2);
    expect(parseStatus('Name:\tx\nSigCgt:\tff').caught).toBe('ff');
  });

  test('a name that looks like another line is escaped by the kernel and stays a name', () => {
    expect(parseStatus(`Name:\tUid:\\nUid:\t0\n${status.slice(1).join('\n')}`).uid).toBe(1001);
    expect(parseStatus('Name:\tVmRSS: 5\n').memoryKb).toBeNull();
  });

  property.prop([fc.string()])('any text is read without an error', (text) => {
    expect(() => parseStatus(text)).not.toThrow();
  });
});

describe('schedstat: the version number of everything read about a thread', () => {
  test('three numbers', () => {
    expect(parseSchedstat('1234567 890 42\n')).toEqual({ ranNs: 1234567, delayedNs: 890, counter: 42 });
  });

  test.each(['', '\n', '1 2', 'x y z', 'nan 1 2', '1 x 3'])('%j is no schedstat', (text) => {
    expect(parseSchedstat(text)).toBeNull();
  });

  property.prop([fc.nat(), fc.nat(), fc.nat()])('any counters are read', (ranNs, delayedNs, counter) => {
    expect(parseSchedstat(`${ranNs} ${delayedNs} ${counter}\n`)).toEqual({ ranNs, delayedNs, counter });
  });
});

describe('sched, io, timers', () => {
  test('se.exec_start in milliseconds', () => {
    const text = 'node (1, #threads: 1)\n----\nse.exec_start     :    12345678.901234\nse.vruntime : 1.0\n';
    expect(parseExecStartMs(Buffer.from(text))).toBe(12345678.901234);
    for (const other of ['nothing here', 'se.exec_start : 12', 'se.exec_start : x\n'])
      expect(parseExecStartMs(Buffer.from(other))).toBeNull();
  });

  test('cancelled writes are no bytes on the disk', () => {
    const text =
      'rchar: 10\nwchar: 20\nsyscr: 3\nsyscw: 4\nread_bytes: 500\nwrite_bytes: 600\ncancelled_write_bytes: 77\n';
    expect(parseIo(text)).toEqual({
      readChars: 10,
      writeChars: 20,
      readCalls: 3,
      writeCalls: 4,
      diskBytes: 1100,
    });
    expect(parseIo('')).toMatchObject({ readChars: 0, diskBytes: 0 });
  });

  test('POSIX timers are counted', () => {
    const timer = (id: number) => `ID: ${id}\nsignal: 14/0\nnotify: signal/pid.1\nClockID: 1\n`;
    expect(countTimers('')).toBe(0);
    expect(countTimers(timer(0) + timer(1))).toBe(2);
  });

  test('POSIX timers that end their process are those whose signal it leaves alone', () => {
    const timer = (signal: number, to = 'signal/pid.1') =>
      `ID: 0\nsignal: ${signal}/0\nnotify: ${to}\nClockID: 1\n`;
    const none = { caught: '0', ignored: '0', blocked: '0' };
    expect(countEndingTimers(timer(14) + timer(15), none)).toBe(2);
    for (const mask of ['caught', 'ignored', 'blocked'])
      expect(countEndingTimers(timer(14), { ...none, [mask]: '2000' }), mask).toBe(0);
    // SIGWINCH ends nothing, SIGEV_THREAD runs a function, SIGEV_NONE does nothing.
    const others = timer(28) + timer(32, 'signal/tid.2') + timer(14, 'none/pid.1');
    expect(countEndingTimers(others, none)).toBe(0);
  });
});

describe('cgroup', () => {
  test('version 2, version 1 and both at once', () => {
    const text = '6:freezer:/jobs/a\n5:cpu,cpuacct:/jobs/b\n1:name=systemd:/init.scope\n0::/user.slice/x:y\n';
    const paths = parseCgroup(text);
    expect(paths.get('')).toBe('/user.slice/x:y');
    expect(paths.get('freezer')).toBe('/jobs/a');
    expect(paths.get('cpu')).toBe('/jobs/b');
    expect(paths.get('cpuacct')).toBe('/jobs/b');
  });

  property.prop([fc.string()])('in any text only absolute paths are found', (text) => {
    for (const path of parseCgroup(text).values()) expect(path).toMatch(/^\//);
  });
});

describe('environ: only our own run id is ever taken out of it', () => {
  const environ = (...entries: string[]) => Buffer.from(entries.map((entry) => `${entry}\0`).join(''));

  test.each([
    [['UNSTUCK_RUN_ID=run_0123456789ab'], 'run_0123456789ab'],
    [['PATH=/bin', 'UNSTUCK_RUN_ID=run_0123456789ab', 'X=1'], 'run_0123456789ab'],
    [['UNSTUCK_RUN_ID=run_0123456789ab; rm -rf /'], null],
    [['UNSTUCK_RUN_ID=secret'], null],
    [['UNSTUCK_RUN_ID='], null],
    [['MY_UNSTUCK_RUN_ID=run_0123456789ab'], null],
    [['X=UNSTUCK_RUN_ID=run_0123456789ab'], null],
    [['UNSTUCK_RUN_ID'], null],
    [[''], null],
    [[], null],
  ])('%j', (entries, id) => {
    expect(runIdIn(environ(...entries))).toBe(id);
  });

  test('the last entry may be cut off', () => {
    expect(runIdIn(Buffer.from('A=1\0UNSTUCK_RUN_ID=run_0123456789ab'))).toBe('run_0123456789ab');
    expect(runIdIn(Buffer.from('A=1\0UNSTUCK_RUN_ID=run_01234'))).toBeNull();
  });

  property.prop([fc.array(fc.uint8Array({ maxLength: 40 }))])(
    'any bytes have a valid run id or none',
    (entries) => {
      const id = runIdIn(Buffer.concat(entries.flatMap((entry) => [Buffer.from(entry), Buffer.from([0])])));
      expect(id ?? 'run_000000000000').toMatch(/^run_[0-9a-f]{12}$/);
    },
  );
});
