import tty from 'node:tty';
import { leaveAtOnce, leaveNoCore } from '../../control/leave.js';

/** Exit code for a hang-up, with or without the signal. */
export const hungUpCode = 129;

/** Descriptors that were terminals at the start. */
const terminals = [0, 1, 2].filter((fd) => tty.isatty(fd));

/** A terminal that was hung up is no longer a terminal. */
export const isTerminalGone = () => terminals.some((fd) => !tty.isatty(fd));

/**
 * Ends this process. Node would wait for a blocked write that may never be read, and would crash when it cannot restore
 * a terminal.
 */
export function endNow(code: number, isBlocked: boolean): void {
  process.exitCode = code;
  if (isBlocked || isTerminalGone()) leaveAtOnce(code);
  process.exit();
}

/** These write a core file by default. */
const dumping: ReadonlySet<NodeJS.Signals> = new Set([
  'SIGQUIT',
  'SIGILL',
  'SIGTRAP',
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGSEGV',
  'SIGXCPU',
  'SIGXFSZ',
  'SIGSYS',
]);

/**
 * Ends this process by a signal with its default action, so that its parent sees the end that the command had: a shell
 * ends a loop after Ctrl-C. Returns where that is not possible.
 */
export function endBySignal(signal: NodeJS.Signals): void {
  if (dumping.has(signal) && !leaveNoCore()) return;
  if (signal !== 'SIGKILL') {
    // Node ignores or handles some signals. The end of the last listener restores the default action.
    process.on(signal, () => {});
    process.removeAllListeners(signal);
  }
  process.kill(process.pid, signal);
}

/** The same for commands that end by themselves: without its terminal, nothing more can be printed. */
export function endWithTerminal(): void {
  process.on('exit', (code) => {
    if (isTerminalGone()) leaveAtOnce(code);
  });
  for (const stream of [process.stdout, process.stderr]) {
    // Before listeners that would report this as an error.
    stream.prependListener('error', () => {
      if (isTerminalGone()) leaveAtOnce(Number(process.exitCode ?? hungUpCode));
    });
  }
}
