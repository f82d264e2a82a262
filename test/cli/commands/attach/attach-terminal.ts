import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import tty from 'node:tty';
import { openTerminal } from '../../../../src/run/launch/pseudo-terminal.js';
import { afterThisTest } from '../../../support/per-test.js';
import { cliPath } from '../../../support/run-cli.js';

/** A window with a terminal in which one command of ours runs. */
export class TerminalWindow {
  readonly done: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  readonly #child: ChildProcess;
  readonly #screen: tty.ReadStream;
  readonly #master: number;
  #shown = '';

  /** `isControlling`: processes in it get a SIGHUP when it is closed. */
  constructor(args: readonly string[], env: NodeJS.ProcessEnv, isControlling: boolean) {
    const terminal = openTerminal();
    if (terminal === null) throw new Error('no pseudo terminal');
    const { master, slave } = terminal;
    terminal.resize({ rows: 24, columns: 80 });
    const words = [...(isControlling ? ['-c'] : []), process.execPath, cliPath, ...args];
    this.#child = spawn('setsid', words, { env, stdio: [slave, slave, slave] });
    this.done = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => resolve({ code, signal }));
    });
    fs.closeSync(slave);
    this.#master = master;
    this.#screen = new tty.ReadStream(master).on('error', () => {});
    this.#screen.on('data', (chunk) => {
      this.#shown += chunk;
    });
    afterThisTest(() => {
      this.#screen.destroy();
      this.#child.kill('SIGKILL');
    });
  }

  get shown(): string {
    return this.#shown;
  }

  type(keys: string): void {
    fs.writeSync(this.#master, keys);
  }

  close(): void {
    this.#screen.destroy();
  }
}
