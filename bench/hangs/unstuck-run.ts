// `unstuck run` as a user has it: dist/cli.cjs, its events, its report.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunEvent, RunReport } from '../../src/model/run/run.js';
import { type Identity, readIdentity } from '../../test/support/read-tree.js';
import { cliPath } from '../../test/support/run-cli.js';
import { stopTree } from '../../test/support/stop-tree.js';
import type { HangCase } from './hang-case.js';
import { flagsOf, type Scale } from './scale.js';
import type { Stage } from './stage.js';
import { signalAll, treeOf } from './tree.js';
import { historyName } from './write-history.js';

/** Ample for a busy machine: a run that is ended in its midst has no report. */
const startMsMax = 60_000;
const endMsMax = 60_000;
const goneMsMax = 10_000;
/** Of what the command printed, as much as anybody looks at. */
const tailMax = 2_000;

function flags(c: HangCase, scale: Scale, report: string): string[] {
  return [
    '--json',
    '--status=none',
    '--no-project-file',
    // With it, half of the questions would not be asked.
    '--no-quiet-env',
    '--keep-log=never',
    '--grace=200ms',
    `--history-key=${historyName}`,
    `--report=${report}`,
    ...flagsOf(scale),
    ...(c.stdin === 'pty' ? ['--pty'] : c.stdin === 'pipe' ? ['--stdin=inherit'] : []),
  ];
}

export interface TimedEvent {
  ms: number;
  event: RunEvent;
}

export class UnstuckRun {
  readonly child: ChildProcess;
  readonly events: TimedEvent[] = [];
  /** When the command was there; all times count from here. */
  startedMs: number | null = null;
  /** The command itself; null: not yet, or it could not be started. */
  leader: number | null = null;
  lastOutputMs = 0;
  tail = '';
  stderr = '';
  hasEnded = false;
  readonly #mark: string;
  readonly #report: string;
  readonly #closed: Promise<unknown>;
  #identity: Identity | null = null;
  #rest = '';

  constructor(c: HangCase, scale: Scale, stage: Stage) {
    this.#mark = stage.mark;
    this.#report = join(stage.dir, '.report.json');
    const args = [cliPath, 'run', ...flags(c, scale, this.#report), '--', ...stage.argv];
    this.child = spawn(process.execPath, args, {
      cwd: stage.dir,
      env: stage.env,
      // Not in our session: Ctrl-C is for us, and the guard ends the rest.
      detached: true,
      stdio: [c.stdin === 'pipe' ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    });
    this.child.stdin?.on('error', () => {});
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#read(text));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr = (this.stderr + text).slice(-tailMax);
    });
    this.#closed = once(this.child, 'close').then(() => {
      this.hasEnded = true;
    });
  }

  get nowMs(): number {
    return performance.now() - (this.startedMs ?? performance.now());
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const event: RunEvent = JSON.parse(line);
      if (event.kind === 'started') {
        this.startedMs = performance.now();
        this.leader = event.pid;
        this.#identity = event.pid === null ? null : readIdentity(event.pid);
      }
      if (event.kind === 'output') {
        this.lastOutputMs = this.nowMs;
        this.tail = (this.tail + event.text).slice(-tailMax);
      }
      this.events.push({ ms: this.nowMs, event });
    }
  }

  /** Waits for what comes first: the command runs, it is over already, or it takes too long. */
  async started(): Promise<boolean> {
    const giveUpMs = performance.now() + startMsMax;
    while (this.leader === null && !this.hasEnded && performance.now() < giveUpMs) {
      await Promise.race([this.#closed, new Promise((resolve) => setTimeout(resolve, 10))]);
    }
    return this.leader !== null;
  }

  /**
   * The report of what was known; null: there is none. The command dies at once, while Unstuck does not look: to see it
   * react to a signal, or half of it dead, would be the last thing the report tells.
   */
  async end(): Promise<RunReport | null> {
    if (this.leader !== null && !this.hasEnded) {
      this.child.kill('SIGSTOP');
      signalAll(treeOf(this.leader), 'SIGKILL');
      const giveUpMs = performance.now() + goneMsMax;
      while (existsSync(`/proc/${this.leader}`) && performance.now() < giveUpMs) await delay(5);
      this.child.kill('SIGCONT');
    }
    const ender = setTimeout(() => this.child.kill('SIGTERM'), endMsMax / 2);
    const killer = setTimeout(() => this.child.kill('SIGKILL'), endMsMax);
    await this.#closed;
    clearTimeout(ender);
    clearTimeout(killer);
    this.child.stdin?.destroy();
    // Of one that hides itself a normal user cannot read the mark, but the session.
    if (this.#identity !== null) await stopTree(this.#mark, this.#identity);
    try {
      return JSON.parse(readFileSync(this.#report, 'utf8'));
    } catch {
      return null;
    }
  }
}
