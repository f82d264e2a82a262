import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { why } from '../../src/control/why.js';
import type { WhyAnswer } from '../../src/model/verdict.js';
import { askUntil } from '../support/ask-until.js';
import { BackgroundHome, until } from '../support/background-home.js';
import { patienceMs } from '../support/patience.js';
import { cliPath } from '../support/run-cli.js';

const boundMs = 3 * patienceMs;

/** Commands of Unstuck, each with an input that stays open and that nothing writes to. */
describe('processes of Unstuck in a chain', { timeout: boundMs }, () => {
  const home = new BackgroundHome();
  const children: ChildProcess[] = [];

  function unstuck(...args: string[]): number {
    const child = spawn(process.execPath, [cliPath, ...args], {
      env: home.env,
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    children.push(child);
    return child.pid ?? 0;
  }

  /** The first answer with that kind and that command at the end of its chain; while a client starts, it may be another. */
  async function answerOf(pid: number, kind: string, command: string): Promise<WhyAnswer> {
    const answer = await askUntil(
      () => why(pid),
      ({ verdict, chain }) => verdict.kind === kind && chain.at(-1)?.command.includes(command) === true,
    );
    expect(answer.verdict, answer.verdict.reason).toMatchObject({ kind });
    return answer;
  }

  let sleeping = '';
  let reading = '';
  let asleep = '';

  beforeAll(async () => {
    // More than one, so that a chain through the daemon could lead to the wrong one.
    reading = (await home.start(['sh', '-c', 'read x'], { input: 'pipe' })).id;
    sleeping = (await home.start(['sleep', '1000'], { input: 'pipe' })).id;
    asleep = (await home.start(['sleep', 'infinity'])).id;
  });

  afterAll(async () => {
    // SIGTERM reaches their commands, too: those go on when a supervisor is killed.
    await Promise.all(
      children.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
        const ended = once(child, 'exit');
        process.kill(-child.pid, 'SIGTERM');
        await ended;
      }),
    );
    await home.end();
  });

  it('a client that waits for a run waits for what that run waits for', async () => {
    const { chain } = await answerOf(unstuck('wait', '--until', 'exit', sleeping), 'timer', 'sleep');
    expect(chain.at(-1)?.command).toBe('sleep 1000');
  });

  it('a client that waits for a run that nothing wakes has no timer of its own', async () => {
    const { chain } = await answerOf(unstuck('wait', '--until', 'exit', asleep), 'asleep', 'sleep');
    expect(chain.at(-1)?.command).toBe('sleep infinity');
  });

  it('a client that follows the log of a run waits for what that run waits for', async () => {
    const { chain } = await answerOf(unstuck('log', '--follow', reading), 'needs-input', 'read x');
    expect(chain.at(-1)?.command).toBe('sh -c read x');
  });

  it('a client that waits for news of all runs waits for the daemon, not for any run of it', async () => {
    const { verdict, chain } = await answerOf(unstuck('notices', '--follow'), 'service', '');
    expect(verdict.reason).toMatch(/news from the daemon of Unstuck/);
    expect(chain).toHaveLength(1);
  });

  it('a supervisor inside the tree passes its input on to its command, which reads it', async () => {
    const pid = unstuck('run', '--stdin', 'pipe', '--', 'sh', '-c', 'read x');
    expect((await answerOf(pid, 'needs-input', 'read x')).verdict.command).toBe('sh -c read x');
  });

  it.each([
    { passes: 'passes its input on', flags: ['--pty', '--stdin', 'pipe'] },
    { passes: 'passes nothing on', flags: ['--pty'] },
  ])(
    'a supervisor inside the tree with a terminal $passes, and no part of it is a deadlock',
    async ({ flags }) => {
      const pid = unstuck('run', ...flags, '--', 'sh', '-c', 'read x');
      const { verdict, findings } = await answerOf(pid, 'needs-input', 'read x');
      expect(verdict.command).toBe('sh -c read x');
      expect(findings.filter(({ kind }) => kind !== 'needs-input')).toEqual([]);
    },
  );

  it('a supervisor inside the tree with a terminal waits for what will feed it', async () => {
    const fed = `(sleep 1000; echo x) | '${process.execPath}' '${cliPath}' run --pty --stdin pipe -- sh -c 'read x'`;
    const child = spawn('sh', ['-c', fed], { env: home.env, stdio: 'ignore', detached: true });
    children.push(child);
    await until(
      async () => (await why(child.pid ?? 0)).processes.some(({ command }) => command === 'sh -c read x'),
      'the command',
    );
    const { chain, findings } = await answerOf(child.pid ?? 0, 'timer', 'sleep');
    expect(chain.at(-1)?.command).toBe('sleep 1000');
    expect(findings).toEqual([]);
  });

  it('a supervisor inside a supervisor does the same', async () => {
    const run = ['run', '--stdin', 'pipe', '--'];
    const pid = unstuck(...run, process.execPath, cliPath, ...run, 'sh', '-c', 'read x');
    expect((await answerOf(pid, 'needs-input', 'read x')).verdict.command).toBe('sh -c read x');
  });

  it('a supervisor inside the tree whose command sleeps waits for that, whatever its input is', async () => {
    const pid = unstuck('run', '--stdin', 'pipe', '--', 'sleep', '1000');
    expect((await answerOf(pid, 'timer', 'sleep')).verdict.command).toBe('sleep 1000');
  });
});
