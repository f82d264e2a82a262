import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { options } from '../../../../src/config/options.js';
import { patienceMs } from '../../../support/patience.js';
import { removeDirectory } from '../../../support/remove-directory.js';
import { cliPath } from '../../../support/run-cli.js';

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'unstuck-config-')));
  mkdirSync(join(root, 'project', '.git'), { recursive: true });
  mkdirSync(join(root, 'home', '.config', 'unstuck'), { recursive: true });
});

afterEach(() => removeDirectory(root));

/** `unstuck config …` in the project, with nothing of this machine's own settings. */
function config(args: string[], env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cliPath, 'config', ...args], {
    cwd: join(root, 'project'),
    env: { PATH: process.env.PATH, HOME: join(root, 'home'), ...env },
    encoding: 'utf8',
    timeout: patienceMs,
  });
  return { status, stdout, stderr };
}

const projectFile = () => join(root, 'project', 'unstuck.json');
const userFile = () => join(root, 'home', '.config', 'unstuck', 'config.json');

describe('unstuck config', () => {
  it('prints every setting with its value and its source, and the files that were searched', () => {
    writeFileSync(projectFile(), '{"preset": "conservative", "phase": ["docs=typedoc", "link=ld"]}');
    const { status, stdout } = config([], { UNSTUCK_TIMEOUT: '10m', UNSTUCK_TIMEOT: '5m' });
    expect(status).toBe(0);
    const rows = stdout.split('\n').filter((line) => line.startsWith('  '));
    expect(rows.map((line) => line.trim().split(' ')[0]).toSorted()).toEqual(
      options.map(({ key }) => key).toSorted(),
    );
    expect(stdout).toMatch(/^ {2}timeout +10m +environment UNSTUCK_TIMEOUT$/m);
    expect(stdout).toMatch(/^ {2}silence +10m +preset conservative$/m);
    expect(stdout).toMatch(/^ {2}killOn +never +default$/m);
    expect(stdout).toContain(`docs=typedoc  link=ld  project file ${projectFile()}\n`);
    expect(stdout).toContain(`project file: ${projectFile()} (read)\n`);
    expect(stdout).toContain(`user file: ${userFile()} (not found)\n`);
    expect(stdout).toContain('UNSTUCK_TIMEOT is not a setting; did you mean UNSTUCK_TIMEOUT?');
    expect(stdout).not.toContain('\u001b');
  });

  it('--json prints what can be written into a file again', () => {
    writeFileSync(userFile(), '{"cpu": "2%", "report": "/tmp/run.json", "progress": "(\\\\d+) of (\\\\d+)"}');
    const first = JSON.parse(config(['--json']).stdout);
    const values = Object.fromEntries(
      first.settings.map(({ key, value }: { key: string; value: unknown }) => [key, value]),
    );
    writeFileSync(userFile(), JSON.stringify(values));
    const second = JSON.parse(config(['--json']).stdout);
    const valuesOf = (report: typeof first) =>
      report.settings.map(({ key, value }: { key: string; value: unknown }) => ({ key, value }));
    expect(valuesOf(second)).toEqual(valuesOf(first));
    expect(values).toMatchObject({ cpu: 2, report: '/tmp/run.json', progress: '(\\d+) of (\\d+)' });
    expect(first.files).toContainEqual({ role: 'user file', file: userFile(), found: true });
  });

  it.each(['killOn', '--kill-on', 'UNSTUCK_KILL_ON'])(
    '--explain %s prints the value of a setting, the values it overrides and the valid values',
    (name) => {
      writeFileSync(projectFile(), '{"killOn": "high"}');
      const { status, stdout } = config(['--explain', name], { UNSTUCK_KILL_ON: 'certain' });
      expect(status).toBe(0);
      expect(stdout).toContain('killOn = certain   environment UNSTUCK_KILL_ON\n');
      expect(stdout).toContain(`  instead of high   project file ${projectFile()}\n`);
      expect(stdout).toContain('  instead of never   default\n');
      expect(stdout).toContain('one of never, certain, high, medium');
    },
  );

  it('--explain knows every kind of setting', () => {
    const names = [...new Map(options.map(({ kind, key }) => [kind, key])).values()];
    const told = names.map((name) => config(['--explain', name]).stdout);
    expect(told.filter((text, at) => !text.startsWith(`${names[at]} = `))).toEqual([]);
    expect(told.filter((text) => text.includes('undefined'))).toEqual([]);
  });

  it('a key that is not there, and a file that is wrong, end with 125 and a hint', () => {
    expect(config(['--explain', 'timout'])).toMatchObject({
      status: 125,
      stderr: 'unstuck: no such setting: "timout"\nhint: did you mean timeout?\n',
    });
    writeFileSync(projectFile(), '{"timout": "5m"}');
    expect(config([])).toMatchObject({
      status: 125,
      stderr: `unstuck: ${projectFile()}: no such setting: "timout"\nhint: did you mean "timeout"?\n`,
    });
    const { status, stdout } = config(['--json']);
    expect(status).toBe(125);
    expect(JSON.parse(stdout).error).toMatchObject({ code: 'bad-config', hint: 'did you mean "timeout"?' });
  });

  it('works without a home', () => {
    expect(config(['--json'], { HOME: '' }).status).toBe(0);
  });
});
