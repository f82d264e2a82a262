import { chmodSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { whySnapshot } from '../../../src/control/why-snapshot.js';
import { isAbsent } from '../../../src/model/facts/absence.js';
import { linuxProbe } from '../../../src/probe/linux/linux-probe.js';
import { portableProbe } from '../../../src/probe/portable/portable-probe.js';
import { cases } from '../../fixtures/cases.js';
import { askUntil } from '../../support/ask-until.js';
import { available } from '../../support/compile.js';
import { findTool } from '../../support/find-tool.js';
import { patienceMs } from '../../support/patience.js';
import { removeDirectory } from '../../support/remove-directory.js';
import { startCase } from '../../support/start-case.js';
import { probeContract, processOf, snapshotOf } from '../contract.js';
import { startProgram, startSleeper } from '../start-program.js';

const tools = { ps: findTool('ps'), lsof: findTool('lsof') };

if (tools.ps !== null && tools.lsof !== null) probeContract(portableProbe, { match: 'uncertain' });

const dirs: string[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const dir of dirs.splice(0)) await removeDirectory(dir);
});

/** A PATH with nothing on it but these: a script, or the real program. */
function onlyOnPath(programs: Partial<Record<'ps' | 'lsof', string | true>>): void {
  const dir = mkdtempSync(join(tmpdir(), 'unstuck-path-'));
  dirs.push(dir);
  for (const name of ['ps', 'lsof'] as const) {
    const program = programs[name];
    if (program === true) symlinkSync(tools[name] ?? '', join(dir, name));
    else if (program !== undefined) {
      writeFileSync(join(dir, name), `#!/bin/sh\n${program}\n`);
      chmodSync(join(dir, name), 0o755);
    }
  }
  vi.stubEnv('PATH', dir);
}

describe.skipIf(tools.ps === null)('programs that are missing or misbehave', () => {
  test('no ps: a Failure with what to install', async () => {
    onlyOnPath({});
    await expect(portableProbe.snapshot(process.pid)).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('ps was not found'),
      hint: expect.stringContaining('install ps'),
    });
    expect(portableProbe.identify(process.pid)).toBeNull();
  });

  test.each([
    ['a ps that knows other columns', 'echo "ps: bad option" >&2; exit 1'],
    ['a ps that prints nothing', 'exit 0'],
    ['a ps that prints something else', 'echo hello; echo "PID TTY TIME CMD"'],
  ])('%s', async (_, script) => {
    onlyOnPath({ ps: script });
    await expect(portableProbe.snapshot(process.pid)).rejects.toMatchObject({ code: 'unsupported' });
  });

  test.each([
    ['hangs', 'exec /bin/sleep 1000'],
    [
      'never stops printing',
      'while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done',
    ],
  ])('a ps that %s does not hang us', async (_, script) => {
    onlyOnPath({ ps: script });
    await expect(portableProbe.snapshot(process.pid)).rejects.toMatchObject({ code: 'cannot-read' });
  });

  test('no lsof: open files are absent, with the reason, and there is still an answer', async () => {
    const { pid } = await startSleeper();
    onlyOnPath({ ps: true });
    const snapshot = await snapshotOf(portableProbe, pid);
    expect(processOf(snapshot, pid).fds).toEqual({ absent: 'unsupported' });
    expect(snapshot.absent).toContainEqual({
      source: 'fd',
      pid,
      reason: 'unsupported',
      detail: 'lsof is not installed',
    });
    expect(
      whySnapshot(snapshot)
        .absent.map(({ why }) => why)
        .join(),
    ).toContain('lsof is not installed');
  });

  test('an lsof that hangs on a dead mount does not hang us', async () => {
    const { pid } = await startSleeper();
    onlyOnPath({ ps: true, lsof: 'exec /bin/sleep 1000' });
    const snapshot = await snapshotOf(portableProbe, pid);
    expect(processOf(snapshot, pid).fds).toEqual({ absent: 'limit' });
  });

  test('the machine reports what it lacks', async () => {
    onlyOnPath({ ps: true });
    const status = (await portableProbe.capabilities()).map((one) => `${one.name}: ${one.status}`);
    expect(status).toEqual(['processes (ps): yes', 'open files (lsof): no', 'system calls and memory: no']);
  });
});

describe.skipIf(tools.ps === null || tools.lsof === null)('it sees what the linux probe sees', () => {
  test('a pipeline: the same processes, the same pipes', async () => {
    const { pid } = await startProgram(['sh', '-c', 'echo ready; sleep 1000 | cat; :'], { line: true });
    const names = async () =>
      (await linuxProbe.snapshot(pid, { gapMs: 1 })).processes.map(({ name }) => name).sort();
    await expect.poll(names).toEqual(['cat', 'sh', 'sleep']);
    const theirs = await snapshotOf(linuxProbe, pid);
    // On a busy machine lsof may be too late.
    const ours = await askUntil(
      () => snapshotOf(portableProbe, pid),
      ({ processes }) => processes.every(({ fds }) => !isAbsent(fds)),
    );
    const inTree = theirs.processes.filter(({ inTree }) => inTree);
    expect(ours.processes.map((one) => one.pid).sort()).toEqual(inTree.map((one) => one.pid).sort());
    for (const one of inTree) {
      const same = processOf(ours, one.pid);
      expect([same.parent, same.group, same.session, same.name]).toEqual([
        one.parent,
        one.group,
        one.session,
        one.name,
      ]);
      expect(same.exe).toBe(one.exe);
      const pipes = (fds: typeof one.fds) =>
        isAbsent(fds)
          ? null
          : fds
              .filter(({ kind }) => kind === 'pipe')
              .map(({ fd, object, read, write }) => ({ fd, object, read, write }));
      expect(pipes(same.fds)).toEqual(pipes(one.fds));
    }
  });

  test('a process that computes is seen to, where the steps of ps are finer than the gap', async () => {
    const { pid } = await startProgram(['sh', '-c', 'while :; do :; done']);
    const take = () => snapshotOf(portableProbe, pid, { gapMs: 2500 });
    let snapshot = await take();
    const hasMoved = async () => {
      if (processOf(snapshot, pid).threads[0]?.moved !== true) snapshot = await take();
      return processOf(snapshot, pid).threads[0]?.moved;
    };
    // Where many compute, it may get less than a second of a CPU within one gap.
    await expect.poll(hasMoved, { timeout: patienceMs }).toBe(true);
    expect(processOf(snapshot, pid).threads[0]?.ranMs).toBeGreaterThan(0);
    expect(whySnapshot(snapshot).verdict.kind).toBe('working');
  });
});

describe.skipIf(tools.ps === null || tools.lsof === null)('it never claims more than ps shows', () => {
  const names = [
    'cat-pipe',
    'mutex-relock',
    'node-readline',
    'zombie-leader-sleeps',
    'own-pipe-read',
    'recv-silent-server',
  ];
  for (const name of names) {
    const found = cases.find((one) => one.name === name);
    test.skipIf(found === undefined || available(found) !== null)(name, async () => {
      if (found === undefined) return;
      const started = await startCase(found);
      try {
        const snapshot = await snapshotOf(portableProbe, started.targetPid);
        const { kind, certainty } = whySnapshot(snapshot).verdict;
        expect([kind, certainty]).not.toEqual([kind, 'certain']);
        expect(found.never ?? []).not.toContain(kind);
      } finally {
        await started.stop();
      }
    });
  }
});
