import fs from 'node:fs';
import type net from 'node:net';
import tty from 'node:tty';
import type { RunSettings } from '../config/run-settings.js';
import { openPipe, unreadBytes } from '../control/run.js';
import { PassingWriter } from './passing-writer.js';

export interface RunStdin {
  /** What the command gets; null: /dev/null. */
  fd: number | null;
  /** A person sits there and could answer. */
  canAnswer: boolean;
  /** Once the command has been started. */
  started(): void;
  close(): void;
  /** Input that the command does not read is stuck in the system. */
  readonly isBlocked: boolean;
}

const nothing: RunStdin = { fd: null, canAnswer: false, started() {}, close() {}, isBlocked: false };

/** Short commands are not asked about. */
const noticeAfterMs = 1000;

/** Says once that there is input which goes nowhere: B12. It is not read: it may be meant for whoever comes next. */
function noticeIgnored(warn: (message: string) => void): RunStdin {
  const timer = setTimeout(() => {
    if (unreadBytes(0) > 0) {
      warn('input was piped in, but is not passed on: --stdin inherit gives it to the command');
    }
  }, noticeAfterMs);
  timer.unref();
  return { ...nothing, close: () => clearTimeout(timer) };
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
    // When the command has closed its input, or has ended, that is no reason for us to end.
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
      // What came before the end is written first.
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
  };
}

/** What the command reads: B12. */
export function runStdin(wish: RunSettings['stdin'], warn: (message: string) => void): RunStdin {
  if (wish === 'inherit') return { ...nothing, fd: 0, canAnswer: tty.isatty(0) };
  if (wish === 'pipe') return passOn();
  if (wish === 'null') return nothing;
  const stat = fs.fstatSync(0);
  if (stat.isFile()) return { ...nothing, fd: 0 };
  return stat.isFIFO() || stat.isSocket() ? noticeIgnored(warn) : nothing;
}
