import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import type { Verdict } from '../../../../src/model/verdict.js';
import { askUntil } from '../../../support/ask-until.js';
import { compile } from '../../../support/compile.js';
import { cliPath } from '../../../support/run-cli.js';

async function start(file: string, args: string[]): Promise<number> {
  const child = spawn(file, args, { stdio: 'ignore', detached: true });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  await once(child, 'spawn');
  return child.pid ?? -1;
}

async function verdictOf(pid: number, through: string[]): Promise<Verdict | null> {
  const [file = '', ...args] = [...through, process.execPath, cliPath, 'why', String(pid), '--json'];
  const { stdout } = await promisify(execFile)(file, args);
  return JSON.parse(stdout).verdict;
}

test('where the kernel does not compare files, an event loop of a stranger takes away certainty, and nothing more', async () => {
  await start(process.execPath, ['-e', 'setInterval(() => {}, 60_000)']);
  const pid = await start(await compile('wait-nothing'), ['epoll']);
  const ask = (through: string[], certainty: string) =>
    askUntil(
      () => verdictOf(pid, through),
      (verdict) => verdict?.kind === 'asleep' && verdict.certainty === certainty,
    );
  expect(await ask([], 'certain')).toMatchObject({ kind: 'asleep', pid, certainty: 'certain' });
  expect(await ask([await compile('without-call'), 'kcmp'], 'high')).toMatchObject({
    kind: 'asleep',
    pid,
    certainty: 'high',
  });
});

test('event loops that a stranger opens and closes all the time take away nothing', async () => {
  await start(await compile('short-loops'), []);
  const pid = await start(await compile('wait-nothing'), ['epoll']);
  const verdict = await askUntil(
    () => verdictOf(pid, []),
    (verdict) => verdict?.certainty === 'certain',
  );
  expect(verdict).toMatchObject({ kind: 'asleep', pid, certainty: 'certain' });
});

test('processes that a stranger starts all the time take away nothing', async () => {
  await start('sh', ['-c', 'while :; do sleep 0.01; done']);
  const pid = await start(await compile('own-pipe-read'), []);
  const verdict = await askUntil(
    () => verdictOf(pid, []),
    (verdict) => verdict?.certainty === 'certain',
  );
  expect(verdict).toMatchObject({ kind: 'deadlock', pid, certainty: 'certain' });
});

describe('where the kernel refuses to answer, a pipe whose other end is hidden is not called dead for certain', () => {
  const looks = 3;
  const hidden = [
    { call: 'kcmp', act: 'apart', about: 'in a thread with open files of its own' },
    { call: 'netlink', act: 'message', about: 'in a message' },
    { call: 'netlink', act: 'empty-message', about: 'in a message without a byte' },
  ];

  it.each(hidden)('without $call, $about', async ({ call, act }) => {
    const through = [await compile('without-call'), call];
    const parent = await start(await compile('far-holder'), ['pipe', act]);
    const children = () => readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim();
    const pid = Number(
      await askUntil(
        async () => children(),
        (listed) => listed !== '',
      ),
    );
    await askUntil(
      () => verdictOf(pid, []),
      (verdict) => verdict?.kind === 'deadlock' || verdict?.kind === 'event',
    );
    for (let look = 0; look < looks; look += 1)
      expect(await verdictOf(pid, through)).toMatchObject({
        certainty: expect.stringMatching(/^(high|medium|low)$/),
      });
  });
});
