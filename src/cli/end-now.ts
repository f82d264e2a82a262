import tty from 'node:tty';
import { leaveAtOnce } from '../control/leave.js';

/** The usual code for it, also where no signal told us. */
export const hungUpCode = 129;

/** What was a terminal when we began. */
const terminals = [0, 1, 2].filter((fd) => tty.isatty(fd));

/** One that was hung up on does not answer any more. */
export const isTerminalGone = () => terminals.some((fd) => !tty.isatty(fd));

/**
 * Ends this process. Node waits for a write that is stuck in the system, and nobody may ever read it; and it puts
 * terminals back as they were, and crashes when it cannot.
 */
export function endNow(code: number, isBlocked: boolean): void {
  process.exitCode = code;
  if (isBlocked || isTerminalGone()) leaveAtOnce(code);
  process.exit();
}

/** The same for commands that end by themselves: without its terminal, whatever it still says is for nobody. */
export function endWithTerminal(): void {
  process.on('exit', (code) => {
    if (isTerminalGone()) leaveAtOnce(code);
  });
  for (const stream of [process.stdout, process.stderr]) {
    // Before anybody who would make this an error.
    stream.prependListener('error', () => {
      if (isTerminalGone()) leaveAtOnce(Number(process.exitCode ?? hungUpCode));
    });
  }
}
