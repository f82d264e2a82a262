import type { OperationInput, OperationName, OperationOutput } from '../../control/operations/table.js';
import { Failure } from '../../model/failure.js';
import { endWithTerminal } from './end-now.js';
import { endWithReader } from './end-with-reader.js';
import { fail } from './fail.js';

/** One operation, done by the daemon. */
export type Call = <Name extends OperationName>(
  name: Name,
  input: OperationInput<Name>,
  options?: { signal?: AbortSignal },
) => Promise<OperationOutput<Name>>;

export interface JsonFlag {
  json?: true | undefined;
}

const idCharsMin = 4;

/** Checked here, because the daemon would name fields that the user did not type. */
function checkId(id: string): void {
  if (id.length >= idCharsMin) return;
  throw new Failure(
    'bad-input',
    `${JSON.stringify(id)} is too short for a run id: give at least ${idCharsMin} characters`,
    'list the ids: unstuck ps',
  );
}

/** Runs one command that calls the daemon. A Failure becomes a message and an exit code. */
export async function withDaemon(flags: JsonFlag, action: (call: Call) => Promise<void>): Promise<void> {
  endWithReader();
  endWithTerminal();
  try {
    const { callOperation } = await import('../../control/client/daemon-client.js');
    await action((name, input, options) => {
      if ('id' in input) checkId(input.id);
      return callOperation(name, input, options);
    });
  } catch (error) {
    fail(error, flags.json === true);
  }
}
