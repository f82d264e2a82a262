import fs from 'node:fs';
import tty from 'node:tty';
import type { RunSettings } from '../../../config/run-settings.js';
import { openTerminal, type PseudoTerminal } from '../../../control/run.js';
import { Failure } from '../../../model/failure.js';
import { PassingWriter } from '../../output/passing-writer.js';
import { IgnoredInput } from './ignored-input.js';
import type { RunStdin } from './stdin.js';

/** Size without a real terminal. */
const sizeDefault = { rows: 30, columns: 120 };
/** Ctrl-D, the end of input on a terminal. */
const endOfInput = Buffer.from([4]);

function ownSize(): { rows: number; columns: number } {
  const { rows, columns } = process.stdout.isTTY ? process.stdout : process.stderr;
  return rows > 0 && columns > 0 ? { rows, columns } : sizeDefault;
}

/** A terminal for the command, connected to our own: keys, size and Ctrl-C are passed on. */
export function runTerminal(
  wish: RunSettings['stdin'],
  warn: (message: string) => void,
): { terminal: PseudoTerminal; stdin: RunStdin } {
  const terminal = openTerminal();
  if (terminal === null) {
    throw new Failure('unsupported', 'cannot allocate a pseudo-terminal', 'leave out --pty');
  }
  const input = process.stdin;
  const isTerminal = tty.isatty(0) && wish !== 'null';
  const passes = isTerminal || wish === 'inherit' || wish === 'pipe';
  const ignored = passes || wish === 'null' ? null : new IgnoredInput(warn);
  const resize = () => terminal.resize(ownSize());
  const keys = new PassingWriter(terminal.master);
  // A program that does not read its terminal must not block us.
  const press = (pressed: Buffer) => {
    input.pause();
    keys.write(pressed).then(
      () => input.resume(),
      () => {},
    );
  };
  resize();
  return {
    terminal,
    stdin: {
      fd: null,
      canAnswer: isTerminal,
      started() {
        fs.closeSync(terminal.slave);
        process.on('SIGWINCH', resize);
        ignored?.begin();
        if (!passes) return;
        if (isTerminal) input.setRawMode(true);
        input.on('data', press);
        // A terminal ends when it is closed, which a signal reports; that is not the end of input.
        if (!isTerminal) input.once('end', () => press(endOfInput));
      },
      close() {
        ignored?.end();
        process.off('SIGWINCH', resize);
        input.off('data', press);
        if (isTerminal) input.setRawMode(false);
        if (passes) input.pause();
        fs.closeSync(terminal.master);
      },
      get isBlocked() {
        return keys.blockedMs > 0;
      },
      leavesNoTrace: !passes,
    },
  };
}
