import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { patienceMs } from '../../../support/patience.js';
import { removeDirectory } from '../../../support/remove-directory.js';
import { cliPath } from '../../../support/run-cli.js';

describe.concurrent('run in another place', () => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-there-'));
  afterAll(() => removeDirectory(home));
  const env = { ...process.env, UNSTUCK_HOME: home, NO_COLOR: '1' };
  const args = [cliPath, 'run', '--on', `via:env HOME=${home}`, '--heartbeat', '0', '--'];

  test('has its exit code, both streams and its input', async () => {
    const program = 'while read -r l; do echo "got $l"; done; echo err >&2; exit 5';
    const { code, stdout, stderr } = await new Promise<{ code: unknown; stdout: string; stderr: string }>(
      (resolve) => {
        const options = { env, timeout: patienceMs };
        const child = execFile(
          process.execPath,
          [...args, 'sh', '-c', program],
          options,
          (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
        );
        child.stdin?.end('a\nb\n');
      },
    );
    expect({ code, stdout }).toEqual({ code: 5, stdout: 'got a\ngot b\n' });
    expect(stderr).toMatch(/^err$/m);
  });

  test('passes signals on', async () => {
    const program = `trap 'echo bye; exit 9' TERM; echo ready; while :; do sleep 0.1; done`;
    const child = spawn(process.execPath, [...args, 'sh', '-c', program], {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      if (text === 'ready\n') child.kill('SIGTERM');
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect({ code, text }).toEqual({ code: 9, text: 'ready\nbye\n' });
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('%s ends a start that gets no answer', async (signal) => {
    const pidFile = path.join(home, `client-${signal}`);
    const gate = path.join(home, `silent-${signal}`);
    fs.writeFileSync(gate, `#!/bin/sh\necho $$ >${pidFile}\nexec sleep 1241\n`, { mode: 0o755 });
    const words = [cliPath, 'run', '--on', `via:${gate}`, '--', 'true'];
    const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    const ended = new Promise((resolve) => child.once('close', (_, by) => resolve(by)));
    await expect.poll(() => fs.existsSync(pidFile), { timeout: patienceMs }).toBe(true);
    child.kill(signal);
    expect(await ended).toBe(signal);
    expect(said).toContain(`${signal} during the start`);
    expect(said).toContain('nothing was started');
  });

  test('when the reader is gone, the command has a broken pipe', async () => {
    // Without end, but slow: its log would fill the disk while this test has to wait for a CPU.
    const program = `trap '' PIPE; while echo y 2>/dev/null; do sleep 0.01; done; echo "no reader" >&2`;
    const child = spawn(process.execPath, [...args, 'sh', '-c', program], {
      env: { ...env, UNSTUCK_HOME: path.join(home, 'gone') },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    child.stdout.once('data', () => child.stdout.destroy());
    const signal = await new Promise((resolve) => child.once('close', (_, by) => resolve(by)));
    // The command ignores the signal, and gets the error of a broken pipe.
    expect(said).toMatch(/^no reader$/m);
    expect(signal).toBe('SIGPIPE');
  });
});
