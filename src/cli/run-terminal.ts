import fs from 'node:fs';
import tty from 'node:tty';
import type { RunSettings } from '../config/run-settings.js';
import { openTerminal, type PseudoTerminal } from '../control/run.js';
import { Failure } from '../model/failure.js';
import { PassingWriter } from './passing-writer.js';
import { IgnoredInput, type RunStdin } from './run-stdin.js';

/** D5: where no real terminal says otherwise. */
const sizeDefault = { rows: 30, columns: 120 };
/** Ctrl-D: what the end of the input is on a terminal. */
const endOfInput = Buffer.from([4]);

function ownSize(): { rows: number; columns: number } {
  const { rows, columns } = process.stdout.isTTY ? process.stdout : process.stderr;
  return rows > 0 && columns > 0 ? { rows, columns } : sizeDefault;
}

/** A terminal for the command, with our own behind it: keys, size and Ctrl-C go through. */
export function runTerminal(
  wish: RunSettings['stdin'],
  warn: (message: string) => void,
): { terminal: PseudoTerminal; stdin: RunStdin } {
  const terminal = openTerminal();
  if (terminal === null) {
    throw new Failure('unsupported', 'no pseudo terminal is to be had here', 'leave out --pty');
  }
  const input = process.stdin;
  const isPerson = tty.isatty(0) && wish !== 'null';
  const passes = isPerson || wish === 'inherit' || wish === 'pipe';
  const ignored = passes || wish === 'null' ? null : new IgnoredInput(warn);
  const resize = () => terminal.resize(ownSize());
  const keys = new PassingWriter(terminal.master);
  // A program that does not read its terminal must not hold us up, and need not get more than it takes.
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
      canAnswer: isPerson,
      started() {
        fs.closeSync(terminal.slave);
        process.on('SIGWINCH', resize);
        ignored?.begin();
        if (!passes) return;
        if (isPerson) input.setRawMode(true);
        input.on('data', press);
        // The end of a terminal is no end of input: it was closed, and that is told by a signal.
        if (!isPerson) input.once('end', () => press(endOfInput));
      },
      close() {
        ignored?.end();
        process.off('SIGWINCH', resize);
        input.off('data', press);
        if (isPerson) input.setRawMode(false);
        if (passes) input.pause();
        fs.closeSync(terminal.master);
      },
      get isBlocked() {
        return keys.blockedMs > 0;
      },
    },
  };
}
