import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BackgroundHome } from '../../../support/background-home.js';
import { cliPath } from '../../../support/run-cli.js';

let home: BackgroundHome;
let project: string;

beforeEach(() => {
  home = new BackgroundHome();
  project = path.join(home.path, 'cloned');
  fs.mkdirSync(path.join(project, '.git'), { recursive: true });
});

afterEach(() => home.end());

function inProject(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      [cliPath, ...args],
      { cwd: project, env: home.env },
      (error, stdout, stderr) => (error === null ? resolve({ stdout, stderr }) : reject(error)),
    );
    child.stdin?.end();
  });
}

test('run and start report what a project file sets that can end the command', async () => {
  const line = `unstuck.json in ${project} sets timeout 10m, kill-on high`;
  fs.writeFileSync(
    path.join(project, 'unstuck.json'),
    '{"timeout": "10m", "killOn": "high", "status": "none"}',
  );
  expect((await inProject('run', '--', 'true')).stderr).toContain(`note: ${line}`);

  const events = (await inProject('run', '--json', '--', 'true')).stdout.trim().split('\n');
  expect(events.map((event) => JSON.parse(event))).toContainEqual(
    expect.objectContaining({
      kind: 'project-settings',
      file: path.join(project, 'unstuck.json'),
      settings: { timeout: '10m', killOn: 'high' },
    }),
  );
  expect((await inProject('run', '--no-project-file', '--', 'true')).stderr).not.toContain('unstuck.json');

  expect((await inProject('start', '--', 'true')).stderr).toContain(line);
  expect(JSON.parse((await inProject('start', '--json', '--', 'true')).stdout)).toMatchObject({
    warnings: [expect.stringContaining(line)],
  });
});

test('a project file that can end nothing is not worth a word', async () => {
  fs.writeFileSync(path.join(project, 'unstuck.json'), '{"heartbeat": "1h", "keepLog": "always"}');
  expect((await inProject('run', '--', 'true')).stderr).toBe('');
});
