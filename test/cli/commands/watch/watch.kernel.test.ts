import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { isAlive, until } from '../../../run/stop/start-run.js';
import { checkPublished } from '../../../support/published-schema.js';
import { cliPath, runCli } from '../../../support/run-cli.js';
import { startReady } from '../../../watchdog/start-child.js';

const quick = ['--sample', '40ms', '--activity-window', '200ms', '--no-project-file'];

describe.concurrent('unstuck watch', () => {
  it('prints one JSON event per line until all processes have ended', async () => {
    const both = await Promise.all([startReady('echo a; read x'), startReady('echo b; read x')]);
    const pids = both.map(({ child }) => String(child.pid));
    const watching = spawn(process.execPath, [cliPath, 'watch', ...pids, ...quick, '--json']);
    const lines: string[] = [];
    createInterface(watching.stdout).on('line', (line) => lines.push(line));
    await until(() => lines.filter((line) => line.includes('"started"')).length === 2, 'both are watched');
    for (const { child } of both) child.stdin.end();
    expect(await once(watching, 'close')).toEqual([0, null]);
    const events = lines.map((line) => JSON.parse(line));
    for (const event of events) checkPublished(['watch'], event);
    for (const { child } of both) {
      const own = events.filter(({ pid }) => pid === child.pid);
      expect(own[0]).toMatchObject({ kind: 'started', command: expect.stringContaining('sh') });
      expect(own.at(-1)).toMatchObject({ kind: 'ended' });
    }
  });

  it('says in words why a process is stuck, and leaves it alone', async () => {
    const { child, who } = await startReady('echo a; kill -STOP $$; sleep 1000');
    const watching = spawn(process.execPath, [
      cliPath,
      'watch',
      String(child.pid),
      ...quick,
      '--heartbeat',
      '100ms',
    ]);
    let text = '';
    watching.stdout.on('data', (chunk) => {
      text += chunk;
    });
    await until(() => text.includes('state=confirmed-stuck'), 'a heartbeat after the report');
    expect(isAlive(who)).toBe(true);
    child.kill('SIGKILL');
    await once(watching, 'close');
    expect(text).toMatch(/^\[watch\] sh\(\d+\) is watched: sh -c/);
    expect(text).toMatch(/appears stuck: .*stopped/);
    expect(text).toMatch(/next: /);
    expect(text).toMatch(/procs=sh cpu=0% memory=/);
    expect(text).toMatch(/ended after .*\(last state: confirmed-stuck\)\n$/);
  });

  it('refuses what is no process', async () => {
    const unknown = await runCli(['watch', '4194303']);
    expect(unknown).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no process 4194303'),
    });
    const word = await runCli(['watch', 'api', '--json']);
    expect(word.code).toBe(125);
    expect(JSON.parse(word.stdout).error.hint).toContain('unstuck wait api');
  });
});
