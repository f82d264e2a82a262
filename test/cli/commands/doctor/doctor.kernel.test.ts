import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Capability } from '../../../../src/model/facts/capability.js';

const cli = resolve(import.meta.dirname, '../../../../dist/cli.cjs');
const isRoot = process.getuid?.() === 0;

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

/** Of it and of all it waited for, in milliseconds: what else the machine does is no part of it. */
async function cpuMsOf(env: NodeJS.ProcessEnv): Promise<number> {
  const script = 'TIMEFORMAT="%U %S"; time "$@" >/dev/null';
  const argv = ['-c', script, 'bash', process.execPath, cli, 'doctor'];
  const { stderr } = await promisify(execFile)('bash', argv, {
    env: { ...process.env, LC_ALL: 'C', ...env },
  });
  const [user = Number.NaN, system = Number.NaN] = stderr.trim().split(' ').map(Number);
  return 1000 * (user + system);
}

async function run(args: string[], env: NodeJS.ProcessEnv = {}): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(process.execPath, [cli, 'doctor', ...args], { env: { ...process.env, ...env } });
}

function find(capabilities: Capability[], name: string): Capability {
  const found = capabilities.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no capability ${name}`);
  return found;
}

/** Without Yama and outside of a container, a process of the same user shows everything. */
const nothingInTheWay =
  read('/proc/sys/kernel/yama/ptrace_scope').trim() in { '': 1, 0: 1 } &&
  /^Seccomp:\s*0$/m.test(read('/proc/self/status'));

describe('unstuck doctor', () => {
  test('names what this machine allows, what is missing, what that costs and how to get it', async () => {
    const { stdout, stderr } = await run(['--json']);
    expect(stderr).toBe('');
    const report = JSON.parse(stdout);
    const capabilities: Capability[] = report.capabilities;
    expect(capabilities.length).toBeGreaterThan(15);
    for (const { name, status, finding, costs, fix } of capabilities) {
      expect(['yes', 'partly', 'no'], name).toContain(status);
      expect(finding, name).not.toBe('');
      if (status === 'yes') expect({ name, costs, fix }).toEqual({ name, costs: '', fix: '' });
      else expect(costs, name).not.toBe('');
    }
    expect(new Set(capabilities.map(({ name }) => name)).size).toBe(capabilities.length);
    expect(report.summary).toMatch(/^(Everything Unstuck needs|Unstuck works here, but sees less)/);
  });

  test.skipIf(!nothingInTheWay)('sees all of a child and of a stranger of the same user', async () => {
    const { capabilities } = JSON.parse((await run(['--json'])).stdout);
    for (const name of ['system calls', 'memory', 'open files', 'kernel functions', 'CPU counters']) {
      expect(find(capabilities, name)).toMatchObject({
        status: 'yes',
        finding: 'of children and of other processes',
      });
    }
    expect(find(capabilities, 'other ends of sockets').status).toBe('yes');
  });

  test.runIf(isRoot && nothingInTheWay)('as root, nothing is missing', async () => {
    const report = JSON.parse((await run(['--json'])).stdout);
    expect(find(report.capabilities, 'processes of other users').finding).toBe('we are root');
    expect(report.complete).toBe(true);
  });

  test.skipIf(isRoot)(
    'as a normal user, processes of other users are not visible, and the fix is to ask as root',
    async () => {
      const report = JSON.parse((await run(['--json'])).stdout);
      expect(find(report.capabilities, 'processes of other users')).toMatchObject({
        status: 'no',
        fix: 'ask as root: sudo unstuck why PID',
      });
      expect(report.summary).not.toBe('Everything Unstuck needs is available.');
    },
  );

  test('prints an aligned table that ends with one sentence, without colour into a file', async () => {
    const { stdout } = await run([]);
    const rows = stdout.split('\n').filter((line) => /^ {2}(yes|partly|no) /.test(line));
    expect(rows.length).toBeGreaterThan(15);
    expect(new Set(rows.map((row) => row.search(/(?<=^ {2}\S+ +)\S/))).size).toBe(1);
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^(Everything|Unstuck works here).*\.$/);
    expect(stdout).not.toContain('\x1b');
  });

  test('works where not even a shell is', async () => {
    const { capabilities } = JSON.parse((await run(['--json'], { PATH: '/nowhere' })).stdout);
    expect(find(capabilities, 'system calls').finding).toContain('of children');
    expect(find(capabilities, 'open files').status).toBe('yes');
  });

  test('is cheap and leaves no process behind', async () => {
    const marker = `UNSTUCK_DOCTOR_TEST=${randomUUID()}`;
    const [name = '', value] = marker.split('=');
    expect(await cpuMsOf({ [name]: value })).toBeLessThan(1000);
    const left = () =>
      readdirSync('/proc')
        .filter((pid) => /^\d+$/.test(pid))
        .filter((pid) => read(`/proc/${pid}/environ`).split('\0').includes(marker))
        .filter((pid) => !/\) [ZX] /.test(read(`/proc/${pid}/stat`)));
    // A process whose input has ended may need a CPU to end.
    await expect.poll(left).toEqual([]);
  });
});
