import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { askUntil } from '../../../support/ask-until.js';
import { findTool } from '../../../support/find-tool.js';
import { patienceMs } from '../../../support/patience.js';
import { removeDirectory } from '../../../support/remove-directory.js';

const cli = resolve(import.meta.dirname, '../../../../dist/cli.cjs');

let mark: string;
let scratch: string;
let demo: ChildProcess | null;

beforeEach(() => {
  mark = `UNSTUCK_DEMO_TEST=${randomUUID()}`;
  scratch = mkdtempSync(join(tmpdir(), 'unstuck-demo-test-'));
  demo = null;
});

afterEach(async () => {
  demo?.kill('SIGKILL');
  await expect.poll(survivors, { timeout: patienceMs }).toEqual([]);
  await removeDirectory(scratch);
});

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

/** Everything the demo started carries the mark; a zombie only waits for a person to count it. */
function survivors(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => read(`/proc/${pid}/environ`).split('\0').includes(mark))
    .filter((pid) => /\) [^ZX] /.test(read(`/proc/${pid}/stat`)))
    .map((pid) => read(`/proc/${pid}/cmdline`).replaceAll('\0', ' '));
}

function start(args: string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const [name = '', value] = mark.split('=');
  demo = spawn(process.execPath, [cli, 'demo', ...args], {
    env: { ...process.env, TMPDIR: scratch, NO_COLOR: '1', [name]: value, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return demo;
}

async function finish(child: ChildProcess): Promise<{ stdout: string; stderr: string; code: number | null }> {
  if (!child.stdout || !child.stderr) throw new Error('no pipes');
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { stdout, stderr, code };
}

interface Scene {
  title: string;
  command: string;
  answer: { target: { pid: number }; verdict: { kind: string; certainty: string } };
}

function parseScenes(stdout: string): Scene[] {
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

async function untilBusy(child: ChildProcess): Promise<void> {
  child.stdout?.resume();
  // The demo itself, a guard and at least one program.
  await expect.poll(() => survivors().length, { timeout: patienceMs, interval: 5 }).toBeGreaterThanOrEqual(3);
}

describe('unstuck demo', () => {
  test('shows a program that works, a program that waits for input and a program that is deadlocked', async () => {
    const play = async () => {
      const { stdout, stderr, code } = await finish(start(['--json']));
      expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
      return parseScenes(stdout);
    };
    const certainties = (scenes: Scene[]) => scenes.slice(1).map(({ answer }) => answer.verdict.certainty);
    // While another test has set an alarm, nothing is certain about several processes.
    const scenes = await askUntil(play, (all) => certainties(all).every((one) => one === 'certain'));
    expect(scenes.map(({ answer }) => answer.verdict.kind)).toEqual(['working', 'needs-input', 'deadlock']);
    expect(certainties(scenes)).toEqual(['certain', 'certain']);
    for (const scene of scenes) expect(Object.keys(scene)).toEqual(['title', 'command', 'answer']);
    await expect.poll(survivors).toEqual([]);
    expect(readdirSync(scratch)).toEqual([]);
  });

  test('prints what unstuck why would print, with the commands to try', async () => {
    const { stdout, stderr, code } = await finish(start([]));
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    expect(stdout.match(/^\$ unstuck why \d+$/gm)).toHaveLength(3);
    expect(stdout).toMatch(/^\$ sh release\.sh$/m);
    expect(stdout).toMatch(/^└─ waits for its child {3}sh \(\d+\) deploy\.sh$/m);
    // While another test has set an alarm, nothing is certain about several processes.
    expect(stdout).toMatch(/^needs input, (certain|high): /m);
    expect(stdout).toMatch(/^deadlock, (certain|high): /m);
    expect(stdout).toMatch(/All three are stopped\. .*\n$/);
    expect(stdout).not.toContain('\x1b');
  });

  test('needs neither sha256sum nor flock', async () => {
    const bin = mkdtempSync(join(tmpdir(), 'unstuck-demo-bin-'));
    try {
      for (const tool of ['sh', 'rm', 'sleep']) symlinkSync(findTool(tool) ?? tool, join(bin, tool));
      const { stdout } = await finish(start(['--json'], { PATH: bin }));
      expect(parseScenes(stdout).map(({ answer }) => answer.verdict.kind)).toEqual([
        'working',
        'needs-input',
        'deadlock',
      ]);
    } finally {
      await removeDirectory(bin);
    }
  });
});

describe('nothing of the demo is left behind', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('by %s', async (signal, exitCode) => {
    const child = start([]);
    await untilBusy(child);
    child.kill(signal);
    const [code] = await once(child, 'exit');
    expect(code).toBe(exitCode);
    // A process that was killed may need a CPU to end.
    await expect.poll(survivors, { timeout: patienceMs, interval: 5 }).toEqual([]);
    expect(readdirSync(scratch)).toEqual([]);
  });

  test('by SIGKILL', async () => {
    const child = start([]);
    await untilBusy(child);
    child.kill('SIGKILL');
    await expect.poll(survivors, { timeout: patienceMs }).toEqual([]);
    await expect.poll(() => readdirSync(scratch), { timeout: patienceMs }).toEqual([]);
  });

  test('by a reader that has seen enough', async () => {
    const child = start([]);
    const stderr = text(child.stderr as NodeJS.ReadableStream);
    await once(child.stdout as NodeJS.ReadableStream, 'data');
    child.stdout?.destroy();
    await once(child, 'exit');
    expect(await stderr).toBe('');
    await expect.poll(survivors).toEqual([]);
  });
});
