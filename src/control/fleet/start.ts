import { checkName } from '../../fleet/names.js';
import type { StartInput } from '../../model/operations/inputs.js';
import type { StartOutput } from '../../model/operations/outputs.js';
import type { CallOptions } from '../client/call-options.js';
import { onHost } from './call-host.js';

/** Starts a command on another machine, which must accept it. The id of the run is `HOST/ID`. */
export async function startOnHost(
  host: string,
  input: StartInput,
  options: CallOptions = {},
): Promise<StartOutput> {
  return (await onHost(checkName('host', host), 'start', input, options)) as StartOutput;
}
