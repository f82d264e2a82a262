import type { OperationInput, OperationName, OperationOutput } from '../../control/operations/table.js';
import { Failure } from '../../model/failure.js';
import type { RunAnswer } from '../../model/operations/outputs.js';
import { printable } from '../../text/printable.js';
import { note } from '../output/print.js';
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

const handleCharsMax = 200;

/** Checked here, because the daemon would name fields that the user did not type. */
function checkHandle(id: string): void {
  if (id !== '' && id.length <= handleCharsMax) return;
  throw new Failure(
    'bad-input',
    `${id === '' ? 'an empty text' : 'a text this long'} is neither a run id nor a label`,
    'list them: unstuck ps',
  );
}

/** Calls operations, and prints once which of several runs with the same label was taken. */
export function checkedCall(call: Call, flags: JsonFlag): Call {
  const noted = new Set<string>();
  return async (name, input, options) => {
    if ('id' in input) checkHandle(input.id);
    const output = await call(name, input, options);
    const answers: readonly object[] = 'results' in output ? output.results : [output];
    for (const answer of flags.json ? [] : answers) {
      const { ambiguous } = answer as RunAnswer;
      if (ambiguous === undefined || noted.has(ambiguous.message)) continue;
      noted.add(ambiguous.message);
      note(`note: ${printable(ambiguous.message)}`);
    }
    return output;
  };
}

/** Runs one command that calls the daemon. A Failure becomes a message and an exit code. */
export async function withDaemon(flags: JsonFlag, action: (call: Call) => Promise<void>): Promise<void> {
  endWithReader();
  endWithTerminal();
  try {
    const { callOperation } = await import('../../control/client/daemon-client.js');
    await action(checkedCall(callOperation, flags));
  } catch (error) {
    fail(error, flags.json === true);
  }
}
