import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type InputKind, inputKinds } from '../../../src/model/run/background.js';
import { fixturePath } from '../../support/find-tool.js';
import { known } from '../../support/known.js';
import { removeDirectory } from '../../support/remove-directory.js';
import { startBackground, until } from '../input/start-background.js';

/** Each of these ends a shell that obeys it, or is overwritten by one. */
const hostile = {
  SHELLOPTS: 'errexit:noexec',
  BASHOPTS: 'extglob',
  BASH_XTRACEFD: '3',
  POSIXLY_CORRECT: '1',
  FUNCNEST: '1',
  IFS: 'u/ ',
  OPTIND: 'none',
  PPID: '1',
  PS1: '$ ',
  PS4: '$(echo x) ',
  LC_ALL: 'xx_YY.UTF-8',
  LANG: 'de_DE.UTF-8',
  SHLVL: '7',
  CDPATH: '/tmp',
  ENV: '/no/such/file',
};

const names = { 'a-b': '1', 'BASH_FUNC_printf%%': '() { :; }', 'BASH_FUNC_read%%': '() { exit 9; }' };

/** A command that is a shell would obey it too. */
const clean = ['env', '-i', '/bin/sh', '-c'];

function environOf(text: string): Record<string, string> {
  const entries = text.split('\0').filter((entry) => entry !== '');
  return Object.fromEntries(
    entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  );
}

async function outputOf(command: string[], input: InputKind, env: Record<string, string>): Promise<string> {
  const run = startBackground(command, { input, env });
  await until(() => run.exit() !== null && run.alive().length === 0, 'its end');
  expect(run.exit()).toBe(0);
  return run.output();
}

describe('the shim and what is in the environment', () => {
  for (const input of inputKinds) {
    it(`a shell would obey it, the shim does not, and the command gets all of it (${input})`, async () => {
      for (const env of [hostile, { ...hostile, ...names }]) {
        const seen = environOf(await outputOf(['cat', '/proc/self/environ'], input, env));
        expect(seen).toMatchObject({ ...env, PATH: fixturePath });
        expect(Object.keys(seen).filter((name) => /us_|SHIM/.test(name))).toEqual([]);
      }
    });
  }

  it('the exit status is written whatever the environment has', async () => {
    const hard: Record<string, string>[] = [
      { 'a-b': '1', SHELLOPTS: 'errexit' },
      names,
      { OPTIND: 'none' },
      { ...names, FUNCNEST: '1' },
    ];
    const runs = hard.map((env) => startBackground([...clean, 'exit 3'], { env }));
    await until(() => runs.every((run) => run.exit() === 3 && run.alive().length === 0), 'every end');
  });

  it('bash, too, distinguishes a signal from an exit code', async () => {
    const env = { ...hostile, ...names };
    const run = startBackground([...clean, 'kill -9 $$'], { env });
    await until(() => run.exit() !== null, 'its end');
    expect(known(run.directory.readExit())).toMatchObject({ code: 137, signal: 'SIGKILL' });
    expect(run.output()).toBe('');
  });

  it('a limit for readers (TMOUT) does not end the input of the run', async () => {
    const run = startBackground(['sh', '-c', 'sleep 1.5; echo ready; read -r line; echo "got $line"'], {
      env: { ...names, TMOUT: '1' },
    });
    await until(() => run.output() === 'ready\n', 'the command');
    run.input.write(Buffer.from('it\n'), 'a');
    // The last of its output is still on its way when its end is known.
    await until(() => run.exit() === 0 && run.output() === 'ready\ngot it\n', 'its end and its answer');
  });

  it('BASH_ENV is read by the command alone', async () => {
    const dir = mkdtempSync(path.join(os.tmpdir(), 'unstuck-test-'));
    onTestFinished(() => removeDirectory(dir));
    const file = path.join(dir, 'env');
    writeFileSync(file, 'echo "read by $0"\n');
    const env = { ...names, BASH_ENV: file };
    expect(await outputOf(['bash', '-c', 'true', 'me'], 'none', env)).toBe('read by me\n');
  });

  it('the name of a command may look like a variable', async () => {
    const dir = mkdtempSync(path.join(os.tmpdir(), 'unstuck-test-'));
    onTestFinished(() => removeDirectory(dir));
    writeFileSync(path.join(dir, 'a=b'), '#!/bin/sh\necho "ran $1"\n', { mode: 0o755 });
    const env = { PATH: `${dir}:${fixturePath}`, IFS: 'x' };
    expect(await outputOf(['a=b', 'c'], 'none', env)).toBe('ran c\n');
  });
});
