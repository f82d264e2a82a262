import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whySnapshot } from '../../../src/control/why-snapshot.js';
import type { Absence } from '../../../src/model/facts/absence.js';
import type { FailureCode } from '../../../src/model/failure.js';
import type { Verdict } from '../../../src/model/verdict.js';
import { linuxProbe } from '../../../src/probe/linux/linux-probe.js';
import { askUntil } from '../../support/ask-until.js';
import { findTool } from '../../support/find-tool.js';
import { patienceMs } from '../../support/patience.js';
import { removeDirectory } from '../../support/remove-directory.js';
import { processOf, snapshotOf } from '../contract.js';
import { isRoot, program, python, startProgram, startSleeper, untilState } from '../start-program.js';

type Told = {
  pid: number;
  code?: FailureCode;
  message?: string;
  hint?: string;
  absent: Absence[];
  verdict: Verdict;
  processes: number;
  changed: number;
};

const asNobody = 'setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --';
const scriptMsMax = patienceMs;
const dir = mkdtempSync(join(tmpdir(), 'unstuck-rights-'));
const reader = join(dir, 'read-process.mjs');

beforeAll(async () => {
  chmodSync(dir, 0o755);
  await build({
    entryPoints: [program('read-process.mts')],
    outfile: reader,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['koffi'],
    logLevel: 'error',
  });
});

afterAll(() => removeDirectory(dir));

function toldBy(command: string, ...args: string[]): Told[] {
  const text = execFileSync(command, args, { encoding: 'utf8', timeout: scriptMsMax, cwd: dir });
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Told);
}

const unshare = findTool('unshare');
const mayBecomeNobody = isRoot && findTool('setpriv') !== null;

describe.skipIf(!mayBecomeNobody)('as another user', () => {
  test('what may not be read is named with its reason, and nothing is certain', async () => {
    const { pid } = await startSleeper();
    const [told] = toldBy('sh', '-c', `${asNobody} ${process.execPath} ${reader} ${pid}`);
    const denied = told?.absent
      .filter(({ reason }) => reason === 'not-permitted')
      .map(({ source }) => source);
    expect(denied).toEqual(expect.arrayContaining(['syscall', 'fd', 'io']));
    expect(told?.verdict.certainty).not.toBe('certain');
    expect(told?.verdict.hidden, 'another user is refused, nothing is hidden').toBeUndefined();
  });

  test('another user sees that a stopped process is stopped, with high certainty', async () => {
    const { pid } = await startSleeper();
    process.kill(pid, 'SIGSTOP');
    await untilState(pid, 'T');
    const [told] = toldBy('sh', '-c', `${asNobody} ${process.execPath} ${reader} ${pid}`);
    expect(told?.verdict).toMatchObject({ kind: 'stopped', certainty: 'high' });
  });
});

describe.skipIf(!mayBecomeNobody || unshare === null)('with hidepid', () => {
  test('hidden is not dead; dead is; our own is seen', () => {
    // A /proc of its own in a pid namespace of its own: a remount would hide the processes of the whole machine.
    const script = `mount -t proc -o hidepid=2 proc /proc || exit 77
      sleep 1000 & hidden=$!
      ${asNobody} sleep 1000 & own=$!
      until grep -q '^Uid:.65534' /proc/$own/status && grep -q sleep /proc/$own/comm &&
        grep -q '^State:.S' /proc/$own/status; do :; done
      ${asNobody} ${process.execPath} ${reader} $hidden 4194304 $own
      kill -9 $hidden $own`;
    const [hidden, dead, own] = toldBy(
      unshare ?? '',
      '--mount',
      '--pid',
      '--fork',
      '--kill-child',
      'sh',
      '-c',
      script,
    );
    expect(hidden).toMatchObject({ code: 'cannot-read' });
    expect(hidden?.message).toContain('hidepid');
    expect(hidden?.hint).toContain('root');
    expect(dead?.code).toBe('no-such-process');
    expect(own?.verdict.kind).toBe('timer');
  });
});

describe.skipIf(isRoot && !mayBecomeNobody)('a process that hides from its own user', () => {
  const asUser = isRoot ? asNobody.split(' ') : [];

  // May be run but not read: the kernel then lets only root look at it, as at an agent that keeps keys.
  test('has facts that are hidden, not denied, and asking as root is suggested', async () => {
    const hiding = join(dir, 'hiding-sleep');
    copyFileSync(findTool('sleep') ?? '', hiding);
    chmodSync(hiding, 0o111);
    const { pid } = await startProgram([...asUser, 'sh', '-c', `${hiding} 1000; :`]);
    const read = (): Told[] => toldBy('sh', '-c', `${asUser.join(' ')} ${process.execPath} ${reader} ${pid}`);
    await expect
      .poll(() => read()[0]?.verdict, { timeout: scriptMsMax })
      .toMatchObject({
        kind: 'unknown',
        certainty: 'low',
        hidden: true,
        reason: expect.stringContaining('hides even from its own user'),
        next: [expect.stringMatching(/sudo unstuck why \d+$/)],
      });
    const [told] = read();
    const sources = told?.absent.filter(({ reason }) => reason === 'hidden').map(({ source }) => source);
    expect(sources).toEqual(expect.arrayContaining(['syscall', 'fd', 'io']));
    expect(told?.absent.filter(({ reason }) => reason === 'not-permitted')).toEqual([]);
  });
});

describe.skipIf(isRoot)('a process of root', () => {
  test('pid 1: what is missing is named, nothing is certain', async () => {
    const snapshot = await snapshotOf(linuxProbe, 1, { gapMs: 20 });
    const denied = snapshot.absent.filter(({ pid, reason }) => pid === 1 && reason === 'not-permitted');
    expect(denied.map(({ source }) => source)).toEqual(expect.arrayContaining(['syscall', 'fd']));
    const { verdict, absent } = whySnapshot(snapshot);
    expect(verdict.certainty).not.toBe('certain');
    expect(absent.map(({ why }) => why).join()).toContain('run as its owner or as root');
  });
});

test.skipIf(python === null)('with few descriptors no process of a large tree is lost', async () => {
  const { pid } = await startProgram([python ?? '', program('children.py'), '300'], { line: true });
  const [told] = toldBy('sh', '-c', `ulimit -n 100 && ${process.execPath} ${reader} ${pid}`);
  expect(told).toMatchObject({ processes: 301, changed: 0 });
  expect(told?.absent.filter(({ reason }) => reason === 'limit')).toEqual([]);
});

const namespaces = (() => {
  try {
    execFileSync(unshare ?? '', ['-Urpf', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

test.skipIf(!namespaces)(
  'in a user and pid namespace: ids of both sides, and the chain is followed',
  async () => {
    const { pid } = await startProgram(['unshare', '-Urpf', 'sh', '-c', 'echo ready; sleep 1000; :'], {
      line: true,
    });
    const snapshot = await askUntil(
      () => snapshotOf(linuxProbe, pid),
      (one) =>
        one.processes
          .filter(({ inTree }) => inTree)
          .map(({ name }) => name)
          .join() === 'unshare,sh,sleep' && whySnapshot(one).verdict.kind === 'timer',
    );
    const [outer, shell, sleep] = snapshot.processes;
    expect(outer?.namespacePids).toEqual([pid]);
    expect(shell?.namespacePids).toEqual([shell?.pid, 1]);
    expect(sleep?.namespacePids).toEqual([sleep?.pid, 2]);
    expect(processOf(snapshot, sleep?.pid ?? 0).threads[0]?.namespaceTid).toBe(2);
    const { verdict, chain } = whySnapshot(snapshot);
    expect(verdict).toMatchObject({ kind: 'timer', pid: sleep?.pid });
    expect(chain.map((link) => link.pid)).toEqual([pid, shell?.pid, sleep?.pid]);
  },
);
