import { type ChildProcess, spawn } from 'node:child_process';
import fs, { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import tty from 'node:tty';
import { openTerminal, type TerminalSize } from '../../../src/run/launch/pseudo-terminal.js';
import { endHome } from '../../support/background-home.js';
import { growingPause } from '../../support/growing-pause.js';
import { patienceMs } from '../../support/patience.js';
import { perTest } from '../../support/per-test.js';
import { checkPublished } from '../../support/published-schema.js';
import { cliPath } from '../../support/run-cli.js';

/** One command line that runs. */
export class Session {
  readonly child: ChildProcess;
  readonly done: Promise<number | null>;
  #out: Buffer[] = [];
  #err: Buffer[] = [];
  #master: number | null = null;

  constructor(args: string[], env: NodeJS.ProcessEnv, input: string | Buffer | TerminalSize, cwd?: string) {
    const words = [cliPath, ...args];
    if (typeof input === 'object' && 'rows' in input) this.child = this.#onTerminal(words, env, input);
    else {
      this.child = spawn(process.execPath, words, { env, cwd, stdio: ['pipe', 'pipe', 'pipe'] });
      this.child.stdin?.on('error', () => {});
      this.child.stdin?.end(input);
      this.child.stdout?.on('data', (chunk: Buffer) => this.#out.push(chunk));
      this.child.stderr?.on('data', (chunk: Buffer) => this.#err.push(chunk));
    }
    this.done = new Promise((resolve) => {
      this.child.once('close', (code) => resolve(code));
    });
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#out);
  }

  get stdout(): string {
    return this.bytes.toString();
  }

  get stderr(): string {
    return Buffer.concat(this.#err).toString();
  }

  async until(what: string | (() => unknown)): Promise<void> {
    const look = typeof what === 'string' ? () => this.stdout.includes(what) : what;
    const endMs = performance.now() + patienceMs;
    const pause = growingPause(20);
    while (!look()) {
      if (performance.now() > endMs) throw new Error(`never: ${what}\n${this.stdout}\n${this.stderr}`);
      await pause();
    }
  }

  type(keys: string): void {
    fs.writeSync(this.#master as number, keys);
  }

  #onTerminal(words: string[], env: NodeJS.ProcessEnv, size: TerminalSize): ChildProcess {
    const terminal = openTerminal();
    if (terminal === null) throw new Error('no pseudo terminal');
    terminal.resize(size);
    this.#master = terminal.master;
    const { slave } = terminal;
    const child = spawn(process.execPath, words, { env, stdio: [slave, slave, slave], detached: true });
    fs.closeSync(slave);
    // EIO: no process has it open any more.
    const screen = new tty.ReadStream(terminal.master).on('error', () => {});
    screen.on('data', (chunk) => this.#out.push(chunk as Buffer));
    return child;
  }
}

/** A state directory with a daemon of its own. */
export class BackgroundHome {
  readonly path = mkdtempSync(path.join(os.tmpdir(), 'unstuck-background-'));
  readonly #sessions: Session[] = [];

  get #env(): NodeJS.ProcessEnv {
    return { ...process.env, NO_COLOR: '1', UNSTUCK_HOME: this.path, TERM: 'xterm' };
  }

  /** Begins a command; its input is empty unless given. */
  open(args: string[], input: string | Buffer | TerminalSize = '', cwd?: string): Session {
    const session = new Session(args, this.#env, input, cwd);
    this.#sessions.push(session);
    return session;
  }

  /** The same on a terminal of its own, whose keys are pressed with `type`. */
  openOnTerminal(args: string[], size: TerminalSize = { rows: 24, columns: 80 }): Session {
    return this.open(args, size);
  }

  async run(
    args: string[],
    input?: string | Buffer,
  ): Promise<{ code: number | null; stdout: string; stderr: string }> {
    const session = this.open(args, input);
    const code = await session.done;
    return { code, stdout: session.stdout, stderr: session.stderr };
  }

  // biome-ignore lint/suspicious/noExplicitAny: what is printed is what is tested
  async json(args: string[]): Promise<any> {
    const { stdout, stderr } = await this.run([...args, '--json']);
    const document = (() => {
      try {
        return JSON.parse(stdout);
      } catch {
        throw new Error(`no JSON: ${stdout}\n${stderr}`);
      }
    })();
    checkPublished(args, document);
    return document;
  }

  /** Starts a run and gives its id. */
  async start(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(['start', ...args]);
    if (code !== 0) throw new Error(stderr);
    return stdout.trim();
  }

  async daemonPid(): Promise<number> {
    return (await this.json(['daemon', 'status'])).pid;
  }

  /** Nothing that was started here is left. */
  async remove(): Promise<void> {
    for (const { child } of this.#sessions) if (child.exitCode === null) child.kill('SIGKILL');
    await endHome(this.path, this.#env);
  }
}

/** A new one for each test. */
export function useBackgroundHome(): { readonly home: BackgroundHome } {
  const home = perTest(
    () => new BackgroundHome(),
    (made) => made.remove(),
  );
  return {
    get home() {
      return home();
    },
  };
}
