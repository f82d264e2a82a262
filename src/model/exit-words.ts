import type { Exit } from './run.js';

/** Stands for an exit code that nothing recorded: the code itself is never invented. */
export const endNotRecorded = 'its end was not recorded';

/** `exit 1`, `SIGKILL`. */
export function exitWords(exit: Exit | undefined): string {
  if (exit === undefined || (exit.code === null && exit.signal === null)) return 'exit unknown';
  const words = exit.signal ?? `exit ${exit.code}`;
  return exit.provenance === 'inferred' ? `${words} (inferred)` : words;
}
