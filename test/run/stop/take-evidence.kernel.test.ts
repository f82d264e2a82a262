import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { whySnapshot } from '../../../src/control/why-snapshot.js';
import { loadSnapshot } from '../../../src/probe/replay/snapshot-file.js';
import { takeEvidence } from '../../../src/run/stop/take-evidence.js';
import { isRoot, python, startProgram, startSleeper } from '../../probe/start-program.js';
import { askUntil } from '../../support/ask-until.js';
import { fixturePath } from '../../support/find-tool.js';
import { patienceMs } from '../../support/patience.js';
import { removeDirectory } from '../../support/remove-directory.js';
import { type Started, startCase } from '../../support/start-case.js';
import { fakeTool, needCase, needTool } from './stack-tools.js';

const totalMs = 20_000;

let dir = '';
let started: Started | null = null;
beforeEach(() => {
  dir = fs.mkdtempSync(join(tmpdir(), 'unstuck-evidence-'));
  vi.stubEnv('PATH', fixturePath);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await started?.stop();
  started = null;
  await removeDirectory(dir);
});

const askedAbout = () => fs.readFileSync(join(dir, 'asked'), 'utf8').trim().split('\n').map(Number);

/** Its tool was too late. */
const isCut = (file: string) => fs.readFileSync(file, 'utf8').includes('the rest is missing');

/** Ten processes in a ring, each reads from a pipe only its neighbour writes to. */
const ring = `import os
n, me = 10, 0
pipes = [os.pipe() for _ in range(n)]
for i in range(1, n):
    if os.fork() == 0:
        me = i
        break
for i, (r, w) in enumerate(pipes):
    if i != me: os.close(r)
    if i != (me + 1) % n: os.close(w)
if me == 0: print('ready', flush=True)
os.read(pipes[me][0], 1)`;

describe('evidence before a kill', () => {
  it('snapshot, verdict and stacks of a deadlock, kept for the owner', async (context) => {
    needTool(context, 'gdb');
    started = await startCase(needCase(context, 'mutex-ab-ba'));
    const { targetPid } = started;
    // On a busy machine a search may be cut, and a debugger may take too long.
    const { answer, files, warnings } = await askUntil(
      () => takeEvidence({ pid: targetPid, dir, totalMs }),
      (one) =>
        one.answer?.verdict.certainty === 'certain' &&
        one.warnings.length === 0 &&
        one.files.some((file) => file.endsWith('gdb.txt') && !isCut(file)),
    );
    expect(warnings).toEqual([]);
    expect(answer?.verdict).toMatchObject({ kind: 'deadlock', certainty: 'certain' });
    const stacks = isRoot ? ['kernel.txt', 'gdb.txt'] : ['gdb.txt'];
    expect(files.map((file) => basename(file))).toEqual([
      'snapshot.json',
      ...stacks.map((name) => `${started?.targetPid}-${name}`),
    ]);
    for (const file of files) expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    const [snapshot = '', ...rest] = files;
    expect(whySnapshot(await loadSnapshot(snapshot)).verdict).toEqual(answer?.verdict);
    expect(fs.readFileSync(rest.at(-1) ?? '', 'utf8')).toContain('pthread_mutex_lock');
  });

  it('stacks of every process of a deadlock, but of eight at most', async (context) => {
    needTool(context, 'python3');
    // py-spy would be asked first.
    fakeTool(dir, 'py-spy', 'exit 1');
    fakeTool(dir, 'gdb', `echo $5 >>${dir}/asked\necho '#0  main ()'`);
    const { pid } = await startProgram([python ?? '', '-c', ring], { line: true });
    await vi.waitFor(
      async () => {
        fs.rmSync(join(dir, 'asked'), { force: true });
        const { answer } = await takeEvidence({ pid, dir, totalMs });
        expect(answer?.verdict.kind).toBe('deadlock');
        // All within the time there is.
        expect(new Set(askedAbout()).size).toBe(8);
      },
      { timeout: patienceMs },
    );
  });

  it('a stranger at the end of the chain is not stopped by a debugger', async (context) => {
    needTool(context, 'sh');
    fakeTool(dir, 'gdb', `echo $5 >>${dir}/asked\necho '#0  main ()'`);
    started = await startCase(needCase(context, 'flock-outside-sleeper'));
    const { targetPid } = started;
    const strangersIn = ({ answer }: Awaited<ReturnType<typeof takeEvidence>>) =>
      answer?.processes.filter(({ inTree }) => !inTree).map(({ pid }) => pid) ?? [];
    // On a busy machine a search may be cut, and a tool may not even begin.
    const outside = strangersIn(
      await askUntil(
        () => takeEvidence({ pid: targetPid, dir, totalMs }),
        (one) => strangersIn(one).length > 0 && fs.existsSync(join(dir, 'asked')),
      ),
    );
    expect(outside.length).toBeGreaterThan(0);
    for (const pid of askedAbout()) expect(outside).not.toContain(pid);
  });

  it('a process that is gone is a warning', async () => {
    expect(await takeEvidence({ pid: 4_194_304, dir, totalMs })).toEqual({
      answer: null,
      files: [],
      warnings: ['no evidence was taken: no process 4194304'],
    });
  });

  it('without a place to keep it there is still the answer', async () => {
    const { pid } = await startSleeper();
    const file = join(dir, 'file');
    fs.writeFileSync(file, '');
    const { answer, files, warnings } = await takeEvidence({ pid, dir: file, totalMs });
    expect(answer?.verdict.kind).toBe('timer');
    expect(files).toEqual([]);
    expect(warnings).toHaveLength(2);
    expect(warnings.join('\n')).toMatch(/^the evidence was not kept: .*\nno stacks were taken: .*ENOTDIR/);
  });

  it('no time is a warning and no wait', async () => {
    const { pid } = await startSleeper();
    const { answer, warnings } = await takeEvidence({ pid, dir, totalMs: 0 });
    expect(answer).toBeNull();
    expect(warnings).toHaveLength(1);
  });

  it('a tool that hangs ends with the time there is; the rest of the evidence stays', async (context) => {
    needTool(context, 'sh');
    fakeTool(dir, 'gdb', 'sleep 1000');
    const { pid } = await startSleeper();
    const { answer, files } = await askUntil(
      () => takeEvidence({ pid, dir, totalMs: 6000 }),
      (one) => one.answer?.verdict.kind === 'timer',
    );
    expect(answer?.verdict.kind).toBe('timer');
    expect(files.map((file) => basename(file))).toContain('snapshot.json');
    expect(files.map((file) => basename(file))).not.toContain(`${pid}-gdb.txt`);
  });
});
