import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { RunEvent, RunReport } from '../../src/model/run/run.js';
import { growingPause } from './growing-pause.js';
import { patienceMs } from './patience.js';
import { afterThisTest } from './per-test.js';
import { removeDirectory } from './remove-directory.js';
import { cliPath } from './run-cli.js';
import { stopMarked } from './stop-marked.js';

interface RunCliOptions {
  env?: NodeJS.ProcessEnv;
  /** Written to our input, which then ends; without it the input is /dev/null. */
  input?: string;
  /** Our input stays open, and nothing is ever written. */
  silentInput?: boolean;
  /** As a shell has it (`2>&1`); `$HOME_OF_RUN` is its home. */
  redirect?: string;
  /** At a terminal of its own; what is written to stdin are keys. */
  onTerminal?: boolean;
  /** A script for bash around it, which is `"$@"` there. */
  around?: string;
}

/** Runs a command at a terminal: keys come from stdin, and the screen goes to stdout. */
const terminalProgram = `import os, pty, sys
pid, master = pty.fork()
if pid == 0: os.execvp(sys.argv[1], sys.argv[1:])
import threading
def keys():
    while chunk := os.read(0, 1000): os.write(master, chunk)
threading.Thread(target=keys, daemon=True).start()
try:
    while chunk := os.read(master, 65536): os.write(1, chunk)
except OSError: pass
code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
sys.stdout.flush(); os._exit(code if code >= 0 else 128 - code)`;

/** `unstuck run` as a user would start it, with a home of its own. */
class RunCli {
  readonly home = mkdtempSync(path.join(os.tmpdir(), 'unstuck-test-'));
  readonly child: ChildProcess;
  readonly done: Promise<number | null>;
  #stdout: Buffer[] = [];
  #stderr: Buffer[] = [];
  /** A test asks again and again for all of them. */
  #read: { chunks: number; events: RunEvent[] } = { chunks: 0, events: [] };

  constructor(
    args: string[],
    { env = {}, input, silentInput, redirect, onTerminal, around }: RunCliOptions = {},
  ) {
    const command = [process.execPath, cliPath, 'run', ...args];
    const redirected = ['sh', '-c', `exec "$@" ${redirect}`, 'sh', ...command];
    const ours = redirect === undefined ? command : redirected;
    const wrapped = around === undefined ? ours : ['bash', '-c', around, 'bash', ...ours];
    const [program = '', ...rest] = onTerminal ? ['python3', '-c', terminalProgram, ...wrapped] : wrapped;
    this.child = spawn(program, rest, {
      env: { ...process.env, NO_COLOR: '1', UNSTUCK_HOME: this.home, HOME_OF_RUN: this.home, ...env },
      stdio: [input === undefined && !silentInput && !onTerminal ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    this.child.stdout?.on('data', (chunk: Buffer) => this.#stdout.push(chunk));
    this.child.stderr?.on('data', (chunk: Buffer) => this.#stderr.push(chunk));
    if (input !== undefined) this.child.stdin?.end(input);
    this.done = new Promise((resolve) => {
      // As a shell reports it: 128 + N for signal N.
      this.child.once('close', (code, signal) =>
        resolve(signal === null ? code : 128 + os.constants.signals[signal]),
      );
    });
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#stdout);
  }

  get stdout(): string {
    return this.bytes.toString();
  }

  get stderr(): string {
    return Buffer.concat(this.#stderr).toString();
  }

  /** With `--json`. */
  get events(): RunEvent[] {
    if (this.#read.chunks !== this.#stdout.length) {
      const lines = this.stdout.split('\n').filter((line) => line !== '');
      const events = lines.map((line) => JSON.parse(line) as RunEvent);
      this.#read = { chunks: this.#stdout.length, events };
    }
    return this.#read.events;
  }

  /** The run's directory, if it is (still) there. */
  get directory(): string | null {
    try {
      const [id] = readdirSync(path.join(this.home, 'runs'));
      return id === undefined ? null : path.join(this.home, 'runs', id);
    } catch {
      return null;
    }
  }

  read(file: string): string {
    return readFileSync(path.join(this.directory ?? '', file), 'utf8');
  }

  get report(): RunReport {
    return JSON.parse(this.read('report.json'));
  }

  /** Waits for something to become true; a failure shows what was printed instead. */
  async until<T>(what: string, look: () => T | undefined | null | false): Promise<T> {
    const endMs = performance.now() + patienceMs;
    const pause = growingPause(20);
    for (;;) {
      const found = attempt(look);
      if (found !== undefined && found !== null && found !== false) return found;
      if (performance.now() > endMs)
        throw new Error(`never: ${what}\n${this.stdout.slice(-2000)}\n${this.stderr.slice(-4000)}`);
      await pause();
    }
  }

  /** A script that waits by `untilGo(name)` goes on. */
  go(name = 'go'): void {
    writeFileSync(path.join(this.home, name), '');
  }

  /** The pid of the command, once it is known. */
  pid(): Promise<number> {
    return this.until('a pid', () => Number.parseInt(this.read('pid'), 10) || null);
  }

  async remove(): Promise<void> {
    if (this.child.exitCode === null) await stopMarked(`HOME_OF_RUN=${this.home}`);
    await removeDirectory(this.home);
  }
}

/** Part of a script: waits until the test calls `cli.go(name)`. */
export function untilGo(name = 'go'): string {
  return `until [ -e "$HOME_OF_RUN/${name}" ]; do sleep 0.05; done`;
}

/** All that is left of it goes with the test. */
export function startRunCli(args: string[], options?: RunCliOptions): RunCli {
  const cli = new RunCli(args, options);
  afterThisTest(() => cli.remove());
  return cli;
}

function attempt<T>(look: () => T): T | null {
  try {
    return look();
  } catch {
    return null;
  }
}

export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
