import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../../../src/control/run-command.js';
import type { RunReport } from '../../../../src/model/run/run.js';
import { startRunCli as start } from '../../../support/start-run-cli.js';

/** Fails so many times, then passes. */
const failing = (times: number) => [
  'sh',
  '-c',
  `echo x >>"$HOME_OF_RUN/tries"; [ $(wc -l <"$HOME_OF_RUN/tries") -gt ${times} ] || { echo attempt failed; exit 3; }`,
];

const readJson = (file: string): RunReport => JSON.parse(readFileSync(file, 'utf8'));

describe.concurrent('unstuck run --retry', () => {
  it('a command that fails once is flaky: said on stderr, in all reports and in the summary', async () => {
    const place = start(['--', 'true']);
    await place.done;
    const file = (name: string) => path.join(place.home, name);
    writeFileSync(file('summary'), '');
    const reports = ['--report', file('json'), '--junit', file('xml'), '--markdown', file('md')];
    const env = { GITHUB_STEP_SUMMARY: file('summary'), GITHUB_ACTIONS: 'true' };
    const cli = start(['--label', 'it', '--retry', '2', ...reports, '--', ...failing(1)], { env });
    expect(await cli.done).toBe(0);
    expect(cli.stderr).toContain('it attempt 1 of 3 failed: exit code 3; it is run again (report: ');
    expect(cli.stderr).toContain('it is flaky: passed at attempt 2; attempt 1: exit code 3\n');
    expect(cli.stderr).toContain('::warning title=it%3A flaky%2C passed at attempt 2::');
    const report = readJson(file('json'));
    expect(report).toMatchObject({
      outcome: 'exited',
      exitCode: 0,
      flaky: true,
      attempts: [{ status: 'exit code 3', exit: { code: 3 }, lastLines: ['attempt failed'] }],
    });
    const kept = report.attempts?.[0]?.report ?? '';
    expect(readJson(kept)).toMatchObject({ exitCode: 3, lastLines: ['attempt failed'] });
    expect(existsSync(report.attempts?.[0]?.files[0] ?? '')).toBe(true);
    expect(readFileSync(file('xml'), 'utf8')).toContain('<flakyFailure type="exited"');
    expect(readFileSync(file('md'), 'utf8')).toContain('flaky, passed at attempt 2');
    expect(readFileSync(file('summary'), 'utf8').match(/^## /gm)).toHaveLength(1);
  });

  it('a command that always fails ends with its own code; with --json each attempt has its events', async () => {
    const cli = start(['--json', '--retry', '1', '--', ...failing(9)]);
    expect(await cli.done).toBe(3);
    const kinds = cli.events.map(({ kind }) => kind).filter((kind) => kind !== 'output');
    expect(kinds).toEqual(['started', 'exited', 'retry', 'started', 'exited']);
    expect(cli.events.at(-1)).toMatchObject({ kind: 'exited', exitCode: 3, attempt: 2 });
    expect(cli.events.find(({ kind }) => kind === 'retry')).toMatchObject({ attempt: 2, attemptsMax: 2 });
  });

  it('a command that was stopped at its limit is run again, one that was interrupted is not', async () => {
    const late = start(['--json', '--retry', '1', '--timeout', '300ms', '--', 'sleep', '300']);
    expect(await late.done).toBe(124);
    expect(late.events.filter(({ kind }) => kind === 'started')).toHaveLength(2);
    const stopped = start(['--json', '--retry', '5', '--', 'sleep', '300']);
    await stopped.until('its start', () => stopped.events.some(({ kind }) => kind === 'started'));
    stopped.child.kill('SIGTERM');
    expect(await stopped.done).toBe(143);
    expect(stopped.events.filter(({ kind }) => kind === 'started')).toHaveLength(1);
  });

  it('input that was read is not there for the next attempt, which ends all the same', async () => {
    for (const stdin of ['inherit', 'pipe']) {
      const command = ['sh', '-c', 'cat; exit 1'];
      const cli = start(['--retry', '1', '--stdin', stdin, '--', ...command], { input: 'once\n' });
      expect(await cli.done).toBe(1);
      expect(cli.stdout).toBe('once\n');
    }
  });

  it('the library returns the report of the last attempt', async () => {
    const place = start(['--', 'true']);
    await place.done;
    const events: string[] = [];
    const report = await run(failing(2), {
      env: { ...process.env, HOME_OF_RUN: place.home, UNSTUCK_HOME: place.home },
      retry: 2,
      onEvent: ({ kind }) => events.push(kind),
    });
    expect(report).toMatchObject({ exitCode: 0, flaky: true });
    expect(report.attempts).toHaveLength(2);
    expect(events.filter((kind) => kind === 'retry')).toHaveLength(2);
  });
});
