import { hungUpCode } from './end-now.js';

const codes: Partial<Record<NodeJS.Signals, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: hungUpCode };

/** On a signal, calls back with its usual exit code instead of ending; returns a function that stops this. */
export function onInterrupt(interrupted: (code: number) => void): () => void {
  const listener = (signal: NodeJS.Signals) => interrupted(codes[signal] ?? 1);
  for (const name of Object.keys(codes)) process.on(name, listener);
  return () => {
    for (const name of Object.keys(codes)) process.off(name, listener);
  };
}
