import fs from 'node:fs';
import tty from 'node:tty';
import type { RunSettings } from '../../../config/run-settings.js';
import {
  copySize,
  foregroundGroupOf,
  isCooked,
  isForeground,
  openTerminal,
  type PseudoTerminal,
  readSettings,
  signalOf,
  writeSettings,
} from '../../../control/run.js';
import { PassingWriter } from '../../output/passing-writer.js';
import { IgnoredInput } from './ignored-input.js';
import { OwnTerminal } from './own-terminal.js';
import type { RunStdin } from './stdin.js';

/** Size without a real terminal. */
const sizeDefault = { rows: 30, columns: 120 };
/** Ctrl-D, the end of input on a terminal. */
const endOfInput = Buffer.from([4]);

/** A terminal for the command. */
export interface RunTerminal {
  terminal: PseudoTerminal;
  stdin: RunStdin;
  /** Our own terminal is the screen and the keyboard of the command; null: it has no user. */
  kept: KeptTerminal | null;
}

/** How the command uses the terminal that it shares with us. */
export interface KeptTerminal {
  /** Ctrl-C was pressed, and the command got SIGINT. */
  readonly isInterrupted: boolean;
  /** `act` is called when a key sends a signal to the command, which has this pid and the foreground. */
  onSignal(pid: number, act: (signal: NodeJS.Signals) => void): void;
  /** Output is not changed by the terminal: a line must end with a carriage return. */
  readonly isRaw: boolean;
  /** The command only prints lines: it does not read single keys or hide them. */
  isCooked(): boolean;
  /** Stops Unstuck together with the command, until a shell continues the job. */
  suspended(): Promise<void>;
}

/** The standard descriptors are one terminal. */
export function isOnTerminal(): boolean {
  if (![0, 1, 2].every((fd) => tty.isatty(fd))) return false;
  const [input, ...outputs] = [0, 1, 2].map((fd) => fs.fstatSync(fd).rdev);
  return outputs.every((device) => device === input);
}

/** A terminal for the command, connected to our own: keys, size and Ctrl-C are passed on; null: there is none. */
export function runTerminal(wish: RunSettings['stdin'], warn: (message: string) => void): RunTerminal | null {
  const terminal = openTerminal();
  if (terminal === null) return null;
  return tty.isatty(0) && wish !== 'null' ? withUser(terminal) : withoutUser(terminal, wish, warn);
}

/** Types what is read from our stdin. A program that does not read its terminal must not block us. */
function typist(
  terminal: PseudoTerminal,
  mayRead: () => boolean,
): { press(keys: Buffer): void; readonly isBlocked: boolean } {
  const writer = new PassingWriter(terminal.master);
  return {
    press(keys) {
      process.stdin.pause();
      writer.write(keys).then(
        () => {
          if (mayRead()) process.stdin.resume();
        },
        () => {},
      );
    },
    get isBlocked() {
      return writer.blockedMs > 0;
    },
  };
}

/**
 * An end of input that was typed before our terminal passed keys as they are: the kernel keeps it as a NUL byte, and
 * gives that byte to a reader of keys.
 */
function withEnds(keys: Buffer): Buffer {
  return Buffer.from(keys.map((key) => (key === 0 ? (endOfInput[0] as number) : key)));
}

function withUser(terminal: PseudoTerminal): RunTerminal {
  const input = process.stdin;
  const keys = typist(terminal, () => own.isTaken);
  const { master } = terminal;
  let isInterrupted = false;
  let command: { pid: number; act(signal: NodeJS.Signals): void } | null = null;
  const press = (pressed: Buffer) => {
    const settings = readSettings(master);
    const signal = settings === null ? null : signalOf(settings, pressed);
    const isForCommand = signal !== null && foregroundGroupOf(master) === command?.pid;
    keys.press(pressed);
    if (!isForCommand) return;
    isInterrupted ||= signal === 'SIGINT';
    command?.act(signal);
  };
  const pressFirst = (pressed: Buffer) => {
    input.off('data', pressFirst).on('data', press);
    press(withEnds(pressed));
  };
  const own = new OwnTerminal((isTaken) => {
    if (isTaken) input.on('data', pressFirst).resume();
    else input.off('data', pressFirst).off('data', press).pause();
    if (isTaken) resize();
  });
  const resize = () => void copySize(0, master);
  // In the background they are those of the shell's own line editor.
  const settings = isForeground() ? readSettings(0) : null;
  if (settings !== null) writeSettings(master, settings);
  resize();
  const stdin: RunStdin = {
    fd: null,
    canAnswer: true,
    started() {
      fs.closeSync(terminal.slave);
      process.on('SIGWINCH', resize);
      own.take();
    },
    close() {
      process.off('SIGWINCH', resize);
      own.release();
      fs.closeSync(master);
    },
    get isBlocked() {
      return keys.isBlocked;
    },
    leavesNoTrace: true,
  };
  const kept: KeptTerminal = {
    get isInterrupted() {
      return isInterrupted;
    },
    onSignal(pid, act) {
      command = { pid, act };
    },
    get isRaw() {
      return own.isTaken;
    },
    isCooked() {
      const now = readSettings(master);
      return now !== null && isCooked(now);
    },
    async suspended() {
      // The shim has the terminal of the command now. A key would reach the shim, until the command has it again.
      const shim = foregroundGroupOf(master);
      own.suspend(() => foregroundGroupOf(master) !== shim);
    },
  };
  return { terminal, stdin, kept };
}

function withoutUser(
  terminal: PseudoTerminal,
  wish: RunSettings['stdin'],
  warn: (message: string) => void,
): RunTerminal {
  const input = process.stdin;
  const passes = wish === 'inherit' || wish === 'pipe';
  const ignored = passes || wish === 'null' ? null : new IgnoredInput(warn);
  const keys = typist(terminal, () => true);
  const resize = () => {
    if (!copySize(1, terminal.master) && !copySize(2, terminal.master)) terminal.resize(sizeDefault);
  };
  resize();
  const stdin: RunStdin = {
    fd: null,
    canAnswer: false,
    started() {
      fs.closeSync(terminal.slave);
      process.on('SIGWINCH', resize);
      ignored?.begin();
      if (!passes) return;
      // An earlier attempt has read all of it.
      if (input.readableEnded) keys.press(endOfInput);
      input.on('data', keys.press).once('end', () => keys.press(endOfInput));
    },
    close() {
      ignored?.end();
      process.off('SIGWINCH', resize);
      if (passes) input.off('data', keys.press).pause();
      fs.closeSync(terminal.master);
    },
    get isBlocked() {
      return keys.isBlocked;
    },
    leavesNoTrace: !passes,
  };
  return { terminal, stdin, kept: null };
}
