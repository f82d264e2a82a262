import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessIdentity } from '../model/facts/identity.js';
import type { Notice } from '../model/notice.js';
import { MemberScan } from '../probe/members.js';
import { identify, livenessOf } from '../probe/processes.js';
import { redact } from '../redact/redact.js';
import { terminate } from '../run/stop/terminate.js';
import type { RunDirectory } from '../store/run-directory.js';
import { printable } from '../text/printable.js';
import type { Delivered } from './delivered.js';
import { type Attempt, type DeliveryTarget, deliveryBody } from './delivery-target.js';

export interface CommandOptions {
  line: string;
  cwd: string;
  directory: RunDirectory;
  delivered: Delivered;
  limitMs: number;
}

const retryPauseMs = 2000;
const attemptsMax = 2;
/** Between TERM and KILL for a command that takes too long. */
const graceMs = 1000;
const leftoverPollMs = 100;
const shownMax = 60;

/** A line for sh that gets each notice as a line of JSON on its stdin. */
export class CommandTarget implements DeliveryTarget {
  readonly name: string;
  readonly #options: CommandOptions;

  constructor(options: CommandOptions) {
    this.#options = options;
    this.name = `the command ${JSON.stringify(printable(redact(options.line)).slice(0, shownMax))}`;
  }

  pauseMs(failures: number): number | null {
    return failures < attemptsMax ? retryPauseMs : null;
  }

  async attempt(notice: Notice, signal: AbortSignal): Promise<Attempt> {
    const { delivered, limitMs } = this.#options;
    try {
      if (delivered.running !== null) await outlast(delivered.running, limitMs, signal);
      if (signal.aborted) return { kind: 'failed', reason: 'it was not started' };
      return await this.#run(notice, signal);
    } catch (error) {
      return { kind: 'failed', reason: `it could not be started: ${(error as Error).message}` };
    }
  }

  async #run(notice: Notice, signal: AbortSignal): Promise<Attempt> {
    const { line, cwd, directory, delivered, limitMs } = this.#options;
    const stdin = openInput(directory.file('.notice.json'), `${deliveryBody(notice)}\n`);
    let child: ChildProcess;
    try {
      child = spawn('/bin/sh', ['-c', line], {
        // The directory may be gone by the time of a notice.
        cwd: fs.existsSync(cwd) ? cwd : '/',
        env: environment(notice),
        stdio: [stdin, 'ignore', 'ignore'],
        detached: true,
      });
    } finally {
      fs.closeSync(stdin);
    }
    const ended = endOf(child);
    // The child has not been waited for, so it exists, if only as a zombie, and its pid cannot be reused.
    const identity = child.pid === undefined ? null : identify(child.pid);
    if (identity === null) return ended;
    delivered.running = identity;
    return within(ended, identity, limitMs, signal);
  }
}

/** The outcome of the command, or the reason why it was stopped. */
async function within(
  ended: Promise<Attempt>,
  identity: ProcessIdentity,
  limitMs: number,
  signal: AbortSignal,
): Promise<Attempt> {
  const over = new AbortController();
  const late = delay(limitMs, 'late' as const, { signal: AbortSignal.any([over.signal, signal]) });
  const first = await Promise.race([ended, late.catch(() => 'interrupted' as const)]);
  over.abort();
  if (typeof first !== 'string') return first;
  await stop(identity);
  const reason = first === 'late' ? `it did not end within ${limitMs / 1000} s` : 'it was interrupted';
  return { kind: 'failed', reason };
}

/** Stops the command with everything it started. */
async function stop(leader: ProcessIdentity): Promise<void> {
  const scan = new MemberScan({ runId: null, leader, shim: null });
  await terminate({ scan, signal: 'SIGTERM', graceMs });
}

/** A command that a killed daemon left keeps its time limit, so that two commands never run at once. */
async function outlast(leftover: ProcessIdentity, limitMs: number, signal: AbortSignal): Promise<void> {
  const untilMs = performance.now() + limitMs;
  const mayRun = () => livenessOf(leftover) !== 'ended';
  while (mayRun() && performance.now() < untilMs && !signal.aborted) await delay(leftoverPollMs);
  if (mayRun()) await stop(leftover);
}

function endOf(child: ChildProcess): Promise<Attempt> {
  return new Promise((resolve) => {
    child.once('error', ({ message }) =>
      resolve({ kind: 'failed', reason: `it could not be started: ${message}` }),
    );
    child.once('exit', (code, signal) => {
      if (code === 0) resolve({ kind: 'delivered' });
      else resolve({ kind: 'failed', reason: `it ended with ${signal ?? `exit code ${code}`}` });
    });
  });
}

/** A file without a name: Node's pipes are sockets, and a program that opens /dev/stdin fails on those. */
function openInput(file: string, text: string): number {
  fs.writeFileSync(file, text, { mode: 0o600 });
  const fd = fs.openSync(file, 'r');
  fs.unlinkSync(file);
  return fd;
}

/**
 * The whole environment of the command. UNSTUCK_RUN_ID is left out: the command is not part of the run and does not
 * keep it from ending.
 */
function environment({ kind, runId, seq }: Notice): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: os.homedir(),
    LANG: process.env.LANG ?? 'C.UTF-8',
    UNSTUCK_NOTICE_KIND: kind,
    UNSTUCK_NOTICE_RUN_ID: runId ?? '',
    UNSTUCK_NOTICE_SEQ: String(seq),
  };
}
