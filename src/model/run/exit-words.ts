import type { Exit, Outcome } from './run.js';

/** Text for an unrecorded end: an exit code is never invented. */
export const endNotRecorded = 'its end was not recorded';

/** `exit 1`, `SIGKILL`. */
export function exitWords(exit: Exit | undefined): string {
  if (exit === undefined || (exit.code === null && exit.signal === null)) return 'exit unknown';
  const text = exit.signal ?? `exit ${exit.code}`;
  return exit.provenance === 'inferred' ? `${text} (inferred)` : text;
}

/** Why Unstuck stopped a run. */
export const stopReasons: Partial<Record<Outcome, string>> = {
  timeout: 'stopped at its time limit',
  'idle-timeout': 'stopped after too long without output',
  stalled: 'stopped because its output did not go on',
  stuck: 'stopped because it was stuck',
};
