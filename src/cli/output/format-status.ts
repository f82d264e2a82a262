import type { OperationOutput } from '../../control/operations/table.js';
import { type Exit, endNotRecorded, exitWords } from '../../model/run/run.js';

/** The status of a run as a short text. */
export function formatStatus(run: {
  status: OperationOutput<'poll'>['status'];
  /** null: it has ended. */
  health: string | null;
  why: string;
  exit?: Exit | undefined;
  /** Absent: its place can be reached, or it runs here. */
  unreachableSince?: string | undefined;
}): string {
  if (run.status === 'lost') return `lost: ${endNotRecorded}`;
  if (run.status === 'exited' || run.health === null) return exitWords(run.exit);
  if (run.unreachableSince !== undefined) return run.why;
  return run.why === '' ? run.health : `${run.health}: ${run.why}`;
}
