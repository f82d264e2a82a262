import type { OperationInput, OperationName, OperationOutput } from '../../control/operations/table.js';
import { endWithTerminal } from '../end-now.js';
import { endWithReader } from '../end-with-reader.js';
import { fail } from '../fail.js';

/** One operation, done by the daemon. */
export type Call = <Name extends OperationName>(
  name: Name,
  input: OperationInput<Name>,
  options?: { signal?: AbortSignal },
) => Promise<OperationOutput<Name>>;

export interface JsonFlag {
  json?: true | undefined;
}

/** Does one command: what it needs of the daemon it calls, and expected trouble becomes words and an exit code. */
export async function withDaemon(flags: JsonFlag, action: (call: Call) => Promise<void>): Promise<void> {
  endWithReader();
  endWithTerminal();
  try {
    const { callOperation } = await import('../../control/client/daemon-client.js');
    await action(callOperation);
  } catch (error) {
    fail(error, flags.json === true);
  }
}
