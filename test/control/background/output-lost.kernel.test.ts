import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { drainsOf } from '../../../src/run/output/drains.js';
import { Agent } from '../../mcp/agent.js';
import { parentOf } from '../../run/stop/start-run.js';
import { BackgroundHome, until } from '../../support/background-home.js';
import { cliPath, runCli } from '../../support/run-cli.js';
import { startRunCli } from '../../support/start-run-cli.js';

let home: BackgroundHome;

beforeEach(() => {
  home = new BackgroundHome();
});

afterEach(() => home.end());

const script = 'echo one; until [ -e "$0" ]; do sleep 0.02; done; echo two; exit 3';
const lost = {
  cause: 'drain-killed',
  message: 'some of its output was not saved: SIGKILL ended the process that writes its log',
};

/** Kills what writes the log of a run. */
function killDrain(leader: number): void {
  // The shim is the leader of the session that the parent of the command is in.
  const stat = fs.readFileSync(`/proc/${parentOf(leader)}/stat`, 'utf8');
  const session = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3]);
  const drains = drainsOf(session);
  expect(drains.length).toBeGreaterThan(0);
  for (const { target } of drains) expect(target).toMatch(/\/(?:output|stdout|stderr)\.log$/);
  for (const { pid } of drains) process.kill(pid, 'SIGKILL');
}

describe('output that was lost', () => {
  test('is reported by every view of a run in the background, while it runs and after it', async () => {
    const go = path.join(home.path, 'go');
    const { id, pid } = await home.start(['sh', '-c', script, go], { notify: { events: ['exit'] } });
    await until(async () => (await home.call('log', { id })).lines.length === 1, 'the first line');
    expect((await home.call('poll', { id, reader: 'first' })).outputLost).toBe(undefined);
    killDrain(pid ?? 0);
    await until(async () => (await home.call('list', {})).runs[0]?.outputLost !== undefined, 'it is known');
    expect((await home.call('log', { id })).outputLost).toEqual(lost);
    expect((await home.call('poll', { id })).outputLost).toEqual(lost);
    expect((await runCli(['ps'], home.env)).stdout).toContain(lost.message);
    fs.writeFileSync(go, '');

    const waited = await home.call('wait', { id, timeoutS: 60 });
    expect(waited).toMatchObject({ status: 'exited', exit: { code: 3 }, outputLost: lost });
    expect((await home.call('list', {})).runs).toMatchObject([{ outputLost: lost }]);
    const { notices } = await home.call('notices', { timeoutS: 60 });
    expect(notices).toMatchObject([{ kind: 'exit', outputLost: lost }]);
    expect(notices[0]?.text).toContain(lost.message);
    const report = path.join(home.path, 'runs', id, 'report.json');
    await until(() => fs.existsSync(report), 'the report');
    expect(JSON.parse(fs.readFileSync(report, 'utf8'))).toMatchObject({ outputLost: lost });

    for (const verb of ['log', 'poll', 'wait']) {
      expect((await runCli([verb, id], home.env)).stderr, verb).toContain(lost.message);
      expect(JSON.parse((await runCli([verb, id, '--json'], home.env)).stdout), verb).toMatchObject({
        outputLost: lost,
      });
    }
    expect((await runCli(['log', '--follow', id], home.env)).stderr).toContain(lost.message);
    expect((await runCli(['list'], home.env)).stderr).toContain(lost.message);
    expect((await runCli(['ps', '--all'], home.env)).stdout).toContain(lost.message);

    const agent = await Agent.connect(home);
    try {
      for (const action of ['poll', 'log', 'wait', 'list']) {
        const answer = await agent.call('process', { action, ...(action !== 'list' && { id }), all: true });
        expect(JSON.stringify(answer.structuredContent), action).toContain(lost.message);
        expect(JSON.stringify(answer.content), action).toContain(lost.message);
      }
    } finally {
      await agent.close();
    }
  });

  test('is reported by a run in the foreground, also when nothing was printed after it', async () => {
    const go = path.join(home.path, 'go');
    const report = path.join(home.path, 'report.json');
    const markdown = path.join(home.path, 'report.md');
    const junit = path.join(home.path, 'report.xml');
    const quiet = 'echo one; until [ -e "$0" ]; do sleep 0.02; done; exit 3';
    const wants = ['--report', report, '--markdown', markdown, '--junit', junit];
    const cli = startRunCli([...wants, '--json', '--', 'sh', '-c', quiet, go]);
    await until(() => cli.stdout.includes('"kind":"output"'), 'the first line');
    const [started] = cli.events;
    killDrain(started?.kind === 'started' ? (started.pid ?? 0) : 0);
    fs.writeFileSync(go, '');
    expect(await cli.done).toBe(3);
    expect(cli.events).toContainEqual(expect.objectContaining({ kind: 'warning', message: lost.message }));
    expect(JSON.parse(fs.readFileSync(report, 'utf8'))).toMatchObject({ outputLost: lost });
    expect(fs.readFileSync(markdown, 'utf8')).toContain('SIGKILL ended the process that writes its log');
    expect(fs.readFileSync(junit, 'utf8')).toContain(lost.message);
  });

  test('is reported where the size of a file is limited, which needs no rights', async () => {
    const report = path.join(home.path, 'report.json');
    const limited = 'ulimit -f 128; exec "$@"';
    const command = ['sh', '-c', 'head -c 3000000 /dev/zero; echo end'];
    const args = [process.execPath, cliPath, 'run', '--report', report, '--', ...command];
    const output = execFileSync('sh', ['-c', limited, 'sh', ...args], {
      env: home.env,
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 16_000_000,
    });
    expect(output.subarray(-4).toString()).toBe('end\n');
    expect(JSON.parse(fs.readFileSync(report, 'utf8'))).toMatchObject({
      exit: { code: 0 },
      outputLost: { cause: 'write-failed' },
    });
  });

  test('a terminal that is closed at the end of the command is no loss', async () => {
    const report = path.join(home.path, 'report.json');
    const { code, stderr } = await runCli(['run', '--pty', '--report', report, '--', 'echo', 'hi'], home.env);
    expect(code).toBe(0);
    expect(stderr).not.toContain('was not saved');
    expect(JSON.parse(fs.readFileSync(report, 'utf8')).outputLost).toBe(undefined);
  });
});
