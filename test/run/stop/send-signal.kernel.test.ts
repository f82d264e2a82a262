import { describe, expect, it } from 'vitest';
import { isAbsent } from '../../../src/model/facts/absence.js';
import { readRow } from '../../../src/probe/linux/identity/identify.js';
import { openPidfd } from '../../../src/probe/linux/native/pidfd.js';
import { createSender, type Send } from '../../../src/run/stop/send-signal.js';
import { compile } from '../../support/compile.js';
import { isAlive, startCanary, startRun, until } from './start-run.js';

const noPidfd = { openPidfd: () => null };

const ways: [name: string, send: (shim: number | null) => Send][] = [
  ['through a pidfd', (shim) => createSender(shim)],
  ['by number', (shim) => createSender(shim, noPidfd)],
];

function rowOf(pid: number) {
  const row = readRow(pid);
  if (isAbsent(row)) throw new Error(`no process ${pid}`);
  return row;
}

describe.each(ways)('sending a signal %s', (_, createSend) => {
  it('reaches its target, and no process that reuses its pid', async () => {
    const canary = await startCanary([await compile('tree/storm')]);
    const row = rowOf(canary.pid);
    const send = createSend(null);
    expect(send({ pid: row.pid, startTicks: row.startTicks - 1 }, 'SIGKILL')).toBe('gone');
    expect(send({ pid: row.pid, startTicks: row.startTicks + 1 }, 'SIGTERM')).toBe('gone');
    expect(send(row, 'SIGHUP')).toBe('sent');
    expect(await canary.heard()).toEqual([1]);
  });

  it('a process that has ended is reported as gone', async () => {
    const { leader } = await startRun(['sh', '-c', 'echo ready; exec sleep 1000']);
    const send = createSend(null);
    expect(send(leader, 'SIGKILL')).toBe('sent');
    await until(() => !isAlive(leader), 'it has ended');
    expect(send(leader, 'SIGKILL')).toBe('gone');
  });

  it('refuses pid 1, ourselves, our parents and the shim', async () => {
    const { shim } = await startRun(['sh', '-c', 'echo ready; exec sleep 1000']);
    const send = createSend(shim);
    for (const pid of [-1, 0, 1, process.pid, process.ppid, shim, Number.NaN]) {
      const startTicks = pid > 1 ? rowOf(pid).startTicks : 0;
      expect(send({ pid, startTicks }, 'SIGCONT')).toBe('refused');
    }
  });

  // Kernel threads belong to root; as root we may signal every process.
  const thread = process.getuid?.() === 0 ? { absent: 'failed' as const } : readRow(2);
  it.skipIf(isAbsent(thread))('EPERM is reported', () => {
    if (!isAbsent(thread)) expect(createSend(null)(thread, 'SIGWINCH')).toBe('not-permitted');
  });

  it('a process that cannot be read is not signalled', async () => {
    const { leader } = await startRun(['sh', '-c', 'echo ready; exec sleep 1000']);
    const unreadable = { readRow: () => ({ absent: 'limit' as const }) };
    expect(createSender(null, unreadable)(leader, 'SIGKILL')).toBe('unproven');
    expect(createSender(null, { ...noPidfd, ...unreadable })(leader, 'SIGKILL')).toBe('unproven');
    expect(isAlive(leader)).toBe(true);
  });
});

it('this machine has pidfds', async () => {
  const { leader } = await startRun(['sh', '-c', 'echo ready; exec sleep 1000']);
  const pidfd = openPidfd(leader.pid);
  expect(pidfd?.send(0)).toBe(true);
  pidfd?.close();
  expect(openPidfd(2 ** 22 + 1)).toBe(null);
});

it('a stranger that got the pid in the last moment goes on after SIGSTOP', async () => {
  const canary = await startCanary([await compile('tree/storm')]);
  const row = rowOf(canary.pid);
  // Read before the signal it is the target, read after it another process.
  const answers = [row, { ...row, startTicks: row.startTicks + 1 }];
  const send = createSender(null, { ...noPidfd, readRow: () => answers.shift() ?? row });
  expect(send(row, 'SIGSTOP')).toBe('gone');
  expect(await canary.heard()).toEqual([18]);
});
