import { Failure } from '../model/failure.js';
import type { RunInput } from '../run/input/run-input.js';

export interface Addressed {
  id: string;
  /** null: the run was started without input. */
  input: RunInput | null;
  hasEnded: boolean;
}

/** Throws a Failure when nothing can be written to a run. A repeated request only gets its answer again. */
export function needInput({ id, input, hasEnded }: Addressed, requestId: string): RunInput {
  if (input === null) {
    throw new Failure(
      'input-closed',
      `${id} was started without an input`,
      'start it with --stdin, or with --pty when it needs a terminal',
    );
  }
  if (hasEnded && !input.knows(requestId)) {
    throw new Failure('run-ended', `${id} has ended`, `see what it said: unstuck log ${id}`);
  }
  return input;
}
