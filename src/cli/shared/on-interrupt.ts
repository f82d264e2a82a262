import { hungUpCode } from './end-now.js';

const codes: Partial<Record<NodeJS.Signals, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: hungUpCode };

export interface InterruptOptions {
  /** After `^C` on the screen a new line begins; false: the caller takes care of it. */
  newLine?: boolean;
}

/** On a signal, calls back with its usual exit code instead of ending; returns a function that stops this. */
export function onInterrupt(
  interrupted: (code: number) => void,
  { newLine = process.stdin.isTTY && process.stderr.isTTY }: InterruptOptions = {},
): () => void {
  const listener = (signal: NodeJS.Signals) => {
    if (newLine && signal === 'SIGINT') process.stderr.write('\n');
    interrupted(codes[signal] ?? 1);
  };
  for (const name of Object.keys(codes)) process.on(name, listener);
  return () => {
    for (const name of Object.keys(codes)) process.off(name, listener);
  };
}

/** A signal aborts, and the process is to end with the usual exit code. */
export function abortOnInterrupt(): { stop: AbortController; release(): void } {
  const stop = new AbortController();
  const release = onInterrupt((code) => {
    process.exitCode = code;
    stop.abort();
  });
  return { stop, release };
}
