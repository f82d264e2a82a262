import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { compile } from '../support/compile.js';
import { patienceMs } from '../support/patience.js';
import { afterThisTest } from '../support/per-test.js';
import { removeDirectory } from '../support/remove-directory.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The step of the action, as a runner starts it. */
async function runAction(inputs: Record<string, string>) {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-action-'));
  afterThisTest(() => removeDirectory(place));
  const [output, summary] = [path.join(place, 'output'), path.join(place, 'summary')];
  const env = {
    ...process.env,
    GITHUB_ACTION_PATH: root,
    GITHUB_OUTPUT: output,
    GITHUB_STEP_SUMMARY: summary,
    RUNNER_TEMP: place,
    UNSTUCK_HOME: path.join(place, 'home'),
    INPUT_TIMEOUT: '0',
    INPUT_KILL_ON: 'certain',
    INPUT_KILL_STUCK: 'never',
    ...inputs,
  };
  const script = path.join(root, 'scripts/action.sh');
  const result = await new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile('bash', [script], { env, cwd: place, timeout: patienceMs }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
  const lines = fs.readFileSync(output, 'utf8').trim().split('\n');
  const outputs = Object.fromEntries(lines.map((line) => line.split('=', 2)));
  return { ...result, outputs, summary: fs.existsSync(summary) ? fs.readFileSync(summary, 'utf8') : '' };
}

describe.concurrent('the GitHub Action', () => {
  it('runs a script of several lines in bash, with its output and its exit code', async () => {
    const { code, stdout, outputs } = await runAction({
      INPUT_COMMAND: 'set -u\n[[ a == a ]] && echo "it is"\nfalse | true\n',
    });
    expect([code, stdout]).toEqual([1, 'it is\n']);
    expect(outputs.outcome).toBe('exited');
    expect(JSON.parse(fs.readFileSync(path.join(outputs.evidence, 'report.json'), 'utf8')).exit.code).toBe(1);
  });

  it('stops a deadlock, and the summary says why', async () => {
    const program = await compile('mutex-ab-ba');
    const { code, outputs, summary } = await runAction({
      INPUT_COMMAND: program,
      INPUT_OPTIONS: '--sample 100ms --activity-window 1s',
    });
    expect(code).toBe(121);
    expect(outputs.outcome).toBe('stuck');
    expect(summary).toMatch(/deadlock|wait for each other/);
    expect(fs.readdirSync(outputs.evidence)).toContain('junit.xml');
  });
});

it('action.yml passes every input to the script', () => {
  const text = fs.readFileSync(path.join(root, 'action.yml'), 'utf8');
  const script = fs.readFileSync(path.join(root, 'scripts/action.sh'), 'utf8');
  const used = new Set(script.match(/INPUT_[A-Z_]+/g));
  const passed = new Set(text.match(/INPUT_[A-Z_]+/g));
  expect(passed).toEqual(used);
  for (const [, name] of text.matchAll(/inputs\.([a-z-]+)/g))
    expect(text).toMatch(new RegExp(`^  ${name}:`, 'm'));
});
