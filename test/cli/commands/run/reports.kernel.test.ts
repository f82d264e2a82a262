import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startRunCli as run } from '../../../support/start-run-cli.js';

/** Targets in a directory of the test's own. */
function targets(dir: string): string[] {
  const file = (name: string) => path.join(dir, name);
  return ['--report', file('run.json'), '--junit', file('run.xml'), '--markdown', file('run.md')];
}

function readAll(dir: string) {
  const read = (name: string) => readFileSync(path.join(dir, name), 'utf8');
  return { json: JSON.parse(read('run.json')), xml: read('run.xml'), markdown: read('run.md') };
}

describe('a report exists whatever happened', () => {
  it.each([
    ['success', ['sh', '-c', 'echo fine'], [], { outcome: 'exited', exitCode: 0 }],
    ['failure', ['sh', '-c', 'echo "<oops> & ]]>"; exit 3'], [], { outcome: 'exited', exitCode: 3 }],
    ['timeout', ['sleep', '300'], ['--timeout', '500ms'], { outcome: 'timeout', exitCode: 124 }],
    ['not started', ['no-such-command'], [], { outcome: 'not-started', exitCode: 127 }],
  ])('%s', async (_name, command, options, expected) => {
    const place = run(['--', 'true']);
    await place.done;
    const cli = run([...options, ...targets(place.home), '--', ...command]);
    expect(await cli.done).toBe(expected.exitCode);
    const { json, xml, markdown } = readAll(place.home);
    expect(json).toMatchObject(expected);
    expect(xml).toMatch(/^<\?xml[\s\S]*<testsuite[\s\S]*<\/testsuites?>\s*$/);
    expect(xml.includes('<failure') || xml.includes('<error')).toBe(expected.exitCode !== 0);
    expect(markdown).toMatch(/^## /);
  });

  it('a job summary where CI wants one, and an annotation for what was stopped', async () => {
    const place = run(['--', 'true']);
    await place.done;
    const summary = path.join(place.home, 'summary.md');
    writeFileSync(summary, 'before\n');
    const env = { GITHUB_STEP_SUMMARY: summary, GITHUB_ACTIONS: 'true' };
    // Long enough to be asleep by then, on a busy machine too.
    const cli = run(['--timeout', '10s', '--', 'sleep', '300'], { env });
    expect(await cli.done).toBe(124);
    const text = readFileSync(summary, 'utf8');
    expect(text.startsWith('before\n')).toBe(true);
    expect(text).toMatch(/## .*timed out/);
    expect(cli.stderr).toMatch(/^::error title=.*::/m);
    // The log of the job says what it was doing, once.
    expect(cli.stderr).toMatch(
      / was stopped in this state: sleep sleeps .*\n {2}sleep\(\d+\) blocked in clock_nanosleep/,
    );
    expect(cli.stderr.match(/blocked in clock_nanosleep/g)).toHaveLength(1);
  });

  it('a report that cannot be written is a warning; output and exit code stay', async () => {
    const cli = run(['--report', '/proc/nowhere/run.json', '--', 'sh', '-c', 'echo out; exit 4']);
    expect(await cli.done).toBe(4);
    expect(cli.stdout).toBe('out\n');
    expect(cli.stderr).toMatch(/note: .*\/proc\/nowhere\/run\.json/);
  });

  it('the log has a header and a footer, is kept on failure and removed on success', async () => {
    const failed = run(['--', 'sh', '-c', 'echo out; exit 3']);
    const passed = run(['--', 'sh', '-c', 'echo out']);
    const kept = run(['--keep-log', 'always', '--', 'sh', '-c', 'echo out']);
    const never = run(['--keep-log', 'never', '--', 'sh', '-c', 'echo out; exit 3']);
    await Promise.all([failed.done, passed.done, kept.done, never.done]);
    expect(failed.read('stdout.log')).toMatch(
      /^# command: sh -c 'echo out; exit 3'\n# cwd: .*\n# started: .*Z\n\nout\n\n# exit: 3\n# elapsed: \d+ ms\n# health: healthy\n$/,
    );
    expect(passed.directory).toBeNull();
    expect(kept.read('stdout.log')).toContain('\n# exit: 0\n');
    expect(() => never.read('stdout.log')).toThrow('ENOENT');
    expect(never.report.exitCode).toBe(3);
  });

  it('secrets of the command line are stored nowhere', async () => {
    const secret = 'abcdef0123456789';
    const cli = run(['--', 'sh', '-c', 'exit 1', 'sh', `--token=${secret}`]);
    await cli.done;
    for (const file of ['run.json', 'report.json', 'events.jsonl', 'stdout.log']) {
      expect(cli.read(file)).toContain('--token=***');
      expect(cli.read(file)).not.toContain(secret);
    }
  });
});
