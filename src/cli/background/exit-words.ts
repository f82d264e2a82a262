import type { OperationOutput } from '../../control/operations/table.js';

type Exit = NonNullable<OperationOutput<'poll'>['exit']>;

/** `exit 1`, `SIGKILL`; never an invented 0 (D7). */
export function exitWords(exit: Exit | undefined): string {
  if (exit === undefined || exit.code === null) return exit?.signal ?? 'exit unknown';
  const words = exit.signal ?? `exit ${exit.code}`;
  return exit.provenance === 'inferred' ? `${words}, as it seems` : words;
}

/** Where a run stands, in a few words. */
export function statusWords(run: {
  status: OperationOutput<'poll'>['status'];
  /** null: it has ended. */
  health: string | null;
  why: string;
  exit?: Exit | undefined;
}): string {
  if (run.status === 'lost') return 'lost: nobody saw how it ended';
  if (run.status === 'exited' || run.health === null) return exitWords(run.exit);
  return run.why === '' ? run.health : `${run.health}: ${run.why}`;
}
