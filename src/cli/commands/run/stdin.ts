import fs from 'node:fs';
import type net from 'node:net';
import tty from 'node:tty';
import type { RunSettings } from '../../../config/run-settings.js';
import { openPipe, unreadBytes } from '../../../control/run.js';
import { PassingWriter } from '../../output/passing-writer.js';

export interface RunStdin {
  /** Descriptor for stdin of the command; null: /dev/null. */
  fd: number | null;
  /** A user at a terminal can answer. */
  canAnswer: boolean;
  /** Called when the command has been started. */
  started(): void;
  close(): void;
  /** Input that the command does not read blocks the writer. */
  readonly isBlocked: boolean;
  /** false: Node has changed the settings of our stdin and restores them when it exits, but not when a signal ends it. */
  leavesNoTrace: boolean;
}

const nothing: RunStdin = {
  fd: null,
  canAnswer: false,
  started() {},
  close() {},
  isBlocked: false,
  leavesNoTrace: true,
};

const pollEveryMs = 1000;

/**
 * Reports once that our stdin has bytes which the command does not get: at the start, during the run, or at its end. A
 * pipe without data, as many CI systems give, is not reported. The bytes are not read: they may be meant for the next
 * program.
 */
export class IgnoredInput {
  readonly #warn: (message: string) => void;
  #timer: NodeJS.Timeout | null = null;
  #isOver = false;

  constructor(warn: (message: string) => void) {
    this.#warn = warn;
  }

  begin(): void {
    if (!isStream(0)) this.#isOver = true;
    if (this.#check()) return;
    this.#timer = setInterval(() => this.#check(), pollEveryMs);
    this.#timer.unref();
  }

  end(): void {
    this.#check();
    this.#stop();
  }

  /** true: no more checks are needed. */
  #check(): boolean {
    if (!this.#isOver && unreadBytes(0) > 0) {
      this.#stop();
      this.#warn('input from the pipe is not passed to the command; to pass it on: --stdin pipe');
    }
    return this.#isOver;
  }

  #stop(): void {
    this.#isOver = true;
    if (this.#timer !== null) clearInterval(this.#timer);
  }
}

/** A pipe or a socket. */
function isStream(fd: number): boolean {
  const stat = fs.fstatSync(fd);
  return stat.isFIFO() || stat.isSocket();
}

function ignore(warn: (message: string) => void): RunStdin {
  const ignored = new IgnoredInput(warn);
  return { ...nothing, started: () => ignored.begin(), close: () => ignored.end() };
}

function passOn(): RunStdin {
  const { read, write } = openPipe();
  const target = new PassingWriter(write);
  let open = true;
  const closeTarget = () => {
    if (open) fs.closeSync(write);
    open = false;
  };
  const pass = (chunk: Buffer) => {
    process.stdin.pause();
    // A command that has closed its input or has ended does not end us.
    target.write(chunk).then(
      () => process.stdin.resume(),
      () => {},
    );
  };
  return {
    fd: read,
    canAnswer: tty.isatty(0),
    started() {
      fs.closeSync(read);
      // Earlier data is written first.
      const end = () => void target.write(Buffer.alloc(0)).then(closeTarget, closeTarget);
      process.stdin.on('data', pass).once('end', end);
      (process.stdin as Partial<net.Socket>).unref?.();
    },
    close() {
      process.stdin.off('data', pass);
      process.stdin.pause();
      if (target.blockedMs === 0) closeTarget();
    },
    get isBlocked() {
      return target.blockedMs > 0;
    },
    leavesNoTrace: false,
  };
}

/** The stdin of the command. */
export function runStdin(wish: RunSettings['stdin'], warn: (message: string) => void): RunStdin {
  if (wish === 'inherit') return { ...nothing, fd: 0, canAnswer: tty.isatty(0) };
  if (wish === 'pipe') return passOn();
  if (wish === 'null') return nothing;
  return fs.fstatSync(0).isFile() ? { ...nothing, fd: 0 } : ignore(warn);
}
