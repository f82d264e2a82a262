import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../../support/background-home.js';
import { removeDirectory } from '../../../support/remove-directory.js';
import { type CliResult, cliPath, runCli } from '../../../support/run-cli.js';
import { isAlive } from '../../../support/start-run-cli.js';

let home: string;
const left: number[] = [];

beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-orphans-'));
});

afterEach(async () => {
  for (const pid of left.splice(0)) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  await removeDirectory(home);
});

const cli = (...args: string[]): Promise<CliResult> => runCli(args, { UNSTUCK_HOME: home });

/** A run that has ended, and what it left: each program writes its pid, and the server its port. */
const leave = `
setsid sh -c 'echo $$ >"$0/sleeper"; exec sleep 1234' "$1" </dev/null >/dev/null 2>&1 &
setsid sh -c 'trap "" TERM; echo $$ >"$0/stubborn"; while :; do sleep 1; done' "$1" </dev/null >/dev/null 2>&1 &
setsid "$2" -e "const s = require('net').createServer().listen(0, '127.0.0.1', () => {
  require('fs').writeFileSync(process.argv[1] + '/port', String(s.address().port));
  require('fs').writeFileSync(process.argv[1] + '/server', String(process.pid));
})" "$1" </dev/null >/dev/null 2>&1 &
until [ -s "$1/sleeper" ] && [ -s "$1/stubborn" ] && [ -s "$1/server" ]; do sleep 0.02; done
read -r sleeper <"$1/sleeper"
until read -r name </proc/$sleeper/comm && [ "$name" = sleep ]; do sleep 0.02; done
`;

async function leaveOrphans(): Promise<{ sleeper: number; stubborn: number; server: number; port: number }> {
  const { code, stderr } = await cli(
    'run',
    '--label',
    'leaver',
    '--',
    'sh',
    '-c',
    leave,
    'sh',
    home,
    process.execPath,
  );
  const read = (name: string) => Number(fs.readFileSync(path.join(home, name), 'utf8'));
  const found = { sleeper: read('sleeper'), stubborn: read('stubborn'), server: read('server') };
  left.push(...Object.values(found));
  if (code !== 0) throw new Error(stderr);
  return { ...found, port: read('port') };
}

const log = () => fs.readFileSync(path.join(home, 'orphans.log'), 'utf8').trimEnd().split('\n');

describe('orphans on the command line', () => {
  test('shown, tried, stopped, noted; no daemon is needed or started', async () => {
    const { sleeper, stubborn, server, port } = await leaveOrphans();
    const [shown, json, dry] = await Promise.all([
      cli('orphans'),
      cli('orphans', '--json'),
      cli('kill', '--orphans', '--dry-run'),
    ]);
    expect(shown).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^next: unstuck kill --orphans --dry-run/),
    });
    expect(shown.stdout).toMatch(new RegExp(`^ *${server} .* ${port} +confirmed +.*node.* -e `, 'm'));
    expect(shown.stdout).toMatch(new RegExp(`^ *${sleeper} .* - +confirmed +sleep 1234 `, 'm'));
    expect(shown.stdout).toMatch(/^from run [0-9a-f]{4}.*/m);
    const { orphans, watch } = JSON.parse(json.stdout);
    expect(watch).toEqual({ watching: false, lastCheckAt: null, detected: 0, killed: 0 });
    expect(orphans.map((one: { pid: number }) => one.pid)).toEqual(
      expect.arrayContaining([sleeper, stubborn, server]),
    );
    expect(dry.stdout).toMatch(/^ *PID +AGE +CLASS +ACTION +COMMAND$/m);
    expect(dry.stdout).toMatch(new RegExp(`^ *${sleeper} +\\S.* confirmed +kill +sleep 1234$`, 'm'));
    expect(dry.stdout).toMatch(/\n\d+ would be killed, 0 skipped, 0 failed\n$/);
    expect([sleeper, stubborn, server].every(isAlive)).toBe(true);
    expect(fs.readdirSync(home)).not.toContain('orphans.log');

    const freed = await cli('kill', '--port', String(port));
    expect(freed.stdout).toContain(`1 killed, 0 skipped, 0 failed; freed ports: ${port}\n`);
    expect(freed.code).toBe(0);
    expect(isAlive(server)).toBe(false);
    expect(log()).toEqual([
      expect.stringMatching(
        new RegExp(`^\\[\\S+Z\\] KILLED pid=${server} cmd=".*" age=\\d+s status=confirmed reason=".+"$`),
      ),
    ]);

    // Ctrl-C ends the grace.
    const killing = spawn(process.execPath, [cliPath, 'kill', '--orphans', '--json', '--grace', '10m'], {
      env: { ...process.env, UNSTUCK_HOME: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [out, err] = ['', ''];
    killing.stdout.on('data', (chunk) => (out += chunk));
    killing.stderr.on('data', (chunk) => (err += chunk));
    await until(
      () => /still waiting for some to end after 2 s; Ctrl-C kills them now/.test(err),
      'some patience',
    );
    // Not 'exit': what it printed last may not have been read by then.
    const closed = once(killing, 'close');
    killing.kill('SIGINT');
    expect(await closed).toEqual([0, null]);
    expect(JSON.parse(out)).toMatchObject({ skipped: 0, failed: 0, tip: null, receipt: { survivors: [] } });
    expect([sleeper, stubborn].some(isAlive)).toBe(false);
    expect(log().filter((line) => / KILLED /.test(line)).length).toBeGreaterThanOrEqual(3);
    const rest = await cli('orphans');
    expect(rest).toMatchObject({
      code: 0,
      stdout: 'no orphans: no process outlived its run\n',
      stderr: '',
    });
    expect(fs.readdirSync(home)).not.toContain('daemon.sock');
    expect(fs.statSync(path.join(home, 'orphans.log')).mode & 0o777).toBe(0o600);
  });
  test('a port held by a foreign process stays held, and the exit code shows it', async () => {
    const server = spawn(process.execPath, [
      '-e',
      "const s = require('net').createServer().listen(0, '127.0.0.1', () => console.log(s.address().port))",
    ]);
    left.push(server.pid ?? 0);
    const [port] = await once(server.stdout, 'data');
    const { code, stdout, stderr } = await cli('kill', '--port', String(port).trim());
    expect(stdout).toMatch(
      /^skipped \d+ .*: not proven to belong to a run\n0 killed, 1 skipped, 0 failed\n$/,
    );
    expect(stderr).toContain('--force');
    expect({ code, alive: isAlive(server.pid ?? 0) }).toEqual({ code: 1, alive: true });
  });
});
