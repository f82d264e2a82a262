import os from 'node:os';
import type { RunReport } from '../../../model/run/run.js';

interface Circumstances {
  /** Programs read the end from the last event. */
  json: boolean;
  /** A SIGINT was passed on. */
  isInterrupted: boolean;
  /** Why output of the command could not be written; null: all of it was written. */
  writeError: string | null;
}

/** How this process ends. */
interface End {
  /** The signal that it dies of; null: none. */
  signal: NodeJS.Signals | null;
  /** The exit code, also where the signal does not end it. */
  code: number;
}

const unwrittenCode = 125;

const codeOf = (signal: NodeJS.Signals) => 128 + os.constants.signals[signal];

/**
 * The end of Unstuck is that of the command. A shell does not name SIGINT and SIGPIPE, so these two are inferred: the
 * command ended with that code after the signal was passed on, or after its reader had gone.
 */
export function endOf(report: RunReport, { json, isInterrupted, writeError }: Circumstances): End {
  const { exit, exitCode } = report;
  const isOwnEnd = exit.code === exitCode;
  const lost = isOwnEnd && exitCode === 0 ? writeError : null;
  if (json) return { signal: null, code: exitCode };
  // The command had ended before its output could not be written, so it could not notice.
  if (lost === 'EPIPE') return { signal: 'SIGPIPE', code: codeOf('SIGPIPE') };
  if (lost !== null) return { signal: null, code: unwrittenCode };
  if (!isOwnEnd) return { signal: null, code: exitCode };
  if (exit.signal !== null && exit.signal in os.constants.signals) {
    return { signal: exit.signal as NodeJS.Signals, code: exitCode };
  }
  const inferred: [NodeJS.Signals, boolean][] = [
    ['SIGINT', isInterrupted],
    ['SIGPIPE', writeError === 'EPIPE'],
  ];
  const signal = inferred.find(([name, isLikely]) => isLikely && exitCode === codeOf(name))?.[0] ?? null;
  return { signal, code: exitCode };
}
