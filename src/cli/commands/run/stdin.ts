import fs from 'node:fs';
import type net from 'node:net';
import tty from 'node:tty';
import type { RunSettings } from '../../../config/run-settings.js';
import { isForeground, openPipe } from '../../../control/run.js';
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
      // An earlier attempt has read all of it.
      if (process.stdin.readableEnded) end();
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

/** A terminal that another job uses: a command outside its session would take the keys of that job. */
function isTakenTerminal(): boolean {
  return tty.isatty(0) && !isForeground();
}

/** The stdin of the command. By default it is our own, as it is for any program. */
export function runStdin(wish: RunSettings['stdin'], warn: (message: string) => void): RunStdin {
  if (wish === 'null') return nothing;
  if (wish === 'pipe') return passOn();
  if (wish === 'auto' && isTakenTerminal()) {
    warn(
      'in the background the command reads /dev/null instead of the terminal; to read it: --stdin inherit',
    );
    return nothing;
  }
  return { ...nothing, fd: 0, canAnswer: tty.isatty(0) };
}
