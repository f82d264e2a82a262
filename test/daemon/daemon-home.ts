import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import { growingPause } from '../support/growing-pause.js';
import { patienceMs } from '../support/patience.js';
import { afterThisTest } from '../support/per-test.js';
import { removeDirectory } from '../support/remove-directory.js';
import { buildCli } from './build-cli.js';

export interface Called {
  code: number | null;
  stdout: string;
  stderr: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for
  json: any;
}

/** A state home with everything that may run for it. */
export class DaemonHome {
  readonly base = mkdtempSync(join(tmpdir(), 'unstuck-daemon-'));
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;

  constructor(name = 'home', env: NodeJS.ProcessEnv = {}) {
    chmodSync(this.base, 0o755);
    this.home = join(this.base, name);
    mkdirSync(this.home, { recursive: true, mode: 0o700 });
    this.env = { ...process.env, NO_COLOR: '1', UNSTUCK_HOME: this.home, ...env };
  }

  file(name: string): string {
    return join(this.home, name);
  }

  /** Runs the command line of the tests; `before` is a program that changes the user. */
  run(args: string[], { cli = cliPath(), before = [] as string[], env = {} } = {}): Promise<Called> {
    const [file = '', ...rest] = [...before, process.execPath, cli, ...args];
    return new Promise((resolve) => {
      const options = { env: { ...this.env, ...env }, cwd: this.base, timeout: patienceMs };
      execFile(file, rest, { ...options, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
        resolve({ code, stdout, stderr, json: parse(stdout) });
      });
    });
  }

  call(name: string, input: unknown = {}, options: Parameters<DaemonHome['run']>[1] = {}): Promise<Called> {
    return this.run(['call', name, JSON.stringify(input)], options);
  }

  async start(options: Parameters<DaemonHome['run']>[1] = {}): Promise<number> {
    const { json, stdout, stderr } = await this.run(['daemon', 'start', '--json'], options);
    if (!(json?.pid > 0)) throw new Error(`no daemon: ${stdout}${stderr}`);
    return json.pid;
  }

  /** Pids of the daemons of this home, and only those. */
  get daemons(): number[] {
    const marker = `UNSTUCK_HOME=${this.home}`;
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => read(`/proc/${pid}/environ`).split('\0').includes(marker))
      .filter((pid) => read(`/proc/${pid}/cmdline`).includes('\0daemon\0run'))
      .map(Number);
  }

  get log(): string {
    return read(this.file('daemon.log'));
  }

  async until<T>(what: string, look: () => T | null | undefined | false, withinMs = patienceMs): Promise<T> {
    const endMs = performance.now() + withinMs;
    const pause = growingPause(20);
    for (;;) {
      const found = look();
      if (found !== null && found !== undefined && found !== false) return found;
      if (performance.now() > endMs) throw new Error(`never: ${what}\n${this.log}`);
      await pause();
    }
  }

  async remove(): Promise<void> {
    const endMs = performance.now() + patienceMs;
    for (;;) {
      // The random path in its environment makes it ours; it was read a moment ago.
      for (const pid of this.daemons) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It has ended by itself.
        }
      }
      try {
        rmSync(this.base, { recursive: true, force: true });
        return;
      } catch (error) {
        // A daemon writes its last, or a client that still waits for an answer has started the next one.
        if (performance.now() > endMs) throw error;
        await delay(50);
      }
    }
  }
}

let built: string | null = null;

function cliPath(): string {
  if (built === null) throw new Error('call useDaemons() first');
  return join(built, 'dist/cli.cjs');
}

/** The command line of the tests, of any version. */
export async function cliOf(version: string): Promise<string> {
  return buildCli(join(built ?? '', version), version);
}

/** To be called at the top of a file of tests. */
export function useDaemons(): void {
  beforeAll(async () => {
    built = mkdtempSync(join(tmpdir(), 'unstuck-daemon-cli-'));
    chmodSync(built, 0o755);
    await buildCli(built, '1.5.0');
  });
  afterAll(() => removeDirectory(built ?? ''));
}

/** It goes with the test. */
export function makeHome(name?: string, env?: NodeJS.ProcessEnv): DaemonHome {
  const home = new DaemonHome(name, env);
  afterThisTest(() => home.remove());
  return home;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
