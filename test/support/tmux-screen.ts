import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { growingPause } from './growing-pause.js';
import { patienceMs } from './patience.js';
import { afterThisTest } from './per-test.js';
import { removeDirectory } from './remove-directory.js';
import { cliPath } from './run-cli.js';

export interface ScreenOptions {
  shell?: 'bash' | 'zsh';
  columns?: number;
  env?: NodeJS.ProcessEnv;
  /** Words before the commands that the program `u` starts. */
  words?: string[];
}

/** Shells without files of the user, with a prompt of two characters. */
const shells = { bash: 'bash --norc --noprofile', zsh: 'zsh --no-rcs' };
const rows = 24;

/** A shell at a real terminal, that of tmux. `u` before a command starts it below `unstuck run`, or as it is. */
export class TmuxScreen {
  readonly home = mkdtempSync(path.join(os.tmpdir(), 'unstuck-test-'));
  readonly #socket = path.join(this.home, 'tmux');

  constructor({ shell = 'bash', columns = 80, env = {}, words = unstuck }: ScreenOptions = {}) {
    mkdirSync(path.join(this.home, 'bin'));
    const start = path.join(this.home, 'bin', 'u');
    writeFileSync(start, `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`);
    chmodSync(start, 0o755);
    const size = ['-x', String(columns), '-y', String(rows)];
    afterThisTest(() => this.#end());
    const { TERM = 'screen', ...rest } = env;
    const variables = { UNSTUCK_HOME: path.join(this.home, 'state'), PS1: '$ ', TERM, ...rest };
    const words_ = Object.entries(variables).map(([name, value]) => `${name}='${value}'`);
    this.#tmux(
      ['-f', '/dev/null', 'new-session', '-d', ...size, `env ${words_.join(' ')} ${shells[shell]}`],
      {
        ...process.env,
        PATH: `${path.dirname(start)}:${process.env.PATH}`,
        TMUX: undefined,
      },
    );
  }

  /** Types a line. */
  type(line: string): void {
    this.#tmux(['send-keys', '-l', line]);
    this.press('Enter');
  }

  /** Presses a key, by the name that tmux has for it. */
  press(key: string): void {
    this.#tmux(['send-keys', key]);
  }

  resize(columns: number): void {
    this.#tmux(['resize-window', '-x', String(columns), '-y', String(rows)]);
  }

  /** `joined`: a line that the terminal has wrapped is one line. */
  show({ joined = false } = {}): string {
    return this.#tmux(['capture-pane', '-p', ...(joined ? ['-J'] : [])])
      .replace(/[ \t]+$/gm, '')
      .trimEnd();
  }

  /** Waits for a screen that has this. `part`: only this part of it counts. */
  async until(pattern: RegExp, part = (screen: string): string => screen): Promise<string> {
    const endMs = performance.now() + patienceMs;
    const pause = growingPause(50);
    for (;;) {
      const screen = this.show();
      if (pattern.test(part(screen))) return screen;
      if (performance.now() > endMs) throw new Error(`never ${pattern}:\n${screen}`);
      await pause();
    }
  }

  /** Waits until another program than the shell has the terminal: only then does Ctrl-C go to it. */
  async untilTaken(): Promise<void> {
    const endMs = performance.now() + patienceMs;
    while (/^(bash|zsh)$/m.test(this.#tmux(['display-message', '-p', '#{pane_current_command}']))) {
      if (performance.now() > endMs) throw new Error(`the shell has the terminal:\n${this.show()}`);
      await delay(20);
    }
  }

  #tmux(words: string[], env?: NodeJS.ProcessEnv): string {
    return execFileSync('tmux', ['-S', this.#socket, ...words], { encoding: 'utf8', ...(env && { env }) });
  }

  async #end(): Promise<void> {
    // Its server has gone if its shell has.
    spawnSync('tmux', ['-S', this.#socket, 'kill-server'], { stdio: 'ignore' });
    // What ran there may still write.
    await removeDirectory(this.home);
  }
}

const unstuck = [process.execPath, cliPath, 'run', '--'];
