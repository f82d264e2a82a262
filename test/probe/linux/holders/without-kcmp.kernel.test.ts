import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
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
  expect(await ask([await compile('without-kcmp')], 'high')).toMatchObject({
    kind: 'asleep',
    pid,
    certainty: 'high',
  });
});
