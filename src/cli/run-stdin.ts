import fs from 'node:fs';
import net from 'node:net';
import tty from 'node:tty';
import type { RunSettings } from '../config/run-settings.js';
import { openPipe } from '../control/run.js';

export interface RunStdin {
  /** What the command gets; null: /dev/null. */
  fd: number | null;
  /** A person sits there and could answer. */
  canAnswer: boolean;
  /** Once the command has been started. */
  started(): void;
  close(): void;
}

const nothing: RunStdin = { fd: null, canAnswer: false, started() {}, close() {} };

/** Says once that there is input which goes nowhere: B12. */
function noticeIgnored(warn: (message: string) => void): RunStdin {
  const input = new net.Socket({ fd: 0, readable: true, writable: false });
  input.unref();
  input.on('error', () => {});
  input.once('data', () => {
    input.pause();
    warn('input was piped in, but is not passed on: --stdin inherit gives it to the command');
  });
  return { ...nothing, close: () => input.pause() };
}

function passOn(): RunStdin {
  const { read, write } = openPipe();
  const target = fs.createWriteStream('', { fd: write });
  // The command has closed its input, or has ended: no reason for us to end.
  target.on('error', () => process.stdin.unpipe(target));
  return {
    fd: read,
    canAnswer: tty.isatty(0),
    started() {
      fs.closeSync(read);
      process.stdin.pipe(target);
      (process.stdin as Partial<net.Socket>).unref?.();
    },
    close() {
      process.stdin.unpipe(target);
      process.stdin.pause();
      target.destroy();
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
