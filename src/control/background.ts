import { callOperation } from './client/daemon-client.js';
import type { OperationInput, OperationName, OperationOutput } from '../model/operations.js';
import { ownUmask } from './own-umask.js';

export interface BackgroundOptions {
  /** Ends the waiting, never the run. */
  signal?: AbortSignal | undefined;
}

type Call<Name extends OperationName> = (
  input: OperationInput<Name>,
  options?: BackgroundOptions,
) => Promise<OperationOutput<Name>>;

function call<Name extends OperationName>(name: Name): Call<Name> {
  return (input, options) => callOperation(name, input, options);
}

/**
 * Commands in the background, as functions: the operations of the daemon, which is started when it is needed. A
 * command gets the environment, the umask and the directory of whoever starts it, unless others are given.
 */
export const background = {
  start: ((input, options) =>
    callOperation(
      'start',
      {
        cwd: process.cwd(),
        ...input,
        inherit: input.inherit ?? ownEnv(),
        umask: input.umask ?? ownUmask(),
        ...(input.lease && { lease: { pid: process.pid, ...input.lease } }),
      },
      options,
    )) satisfies Call<'start'>,
  list: call('list'),
  poll: call('poll'),
  log: call('log'),
  wait: call('wait'),
  kill: call('kill'),
  killAll: call('killAll'),
  write: call('write'),
  submit: call('submit'),
  close: call('close'),
  resize: call('resize'),
  isActive: call('isActive'),
  handOver: call('handOver'),
  inspect: call('inspect'),
  notices: call('notices'),
  orphans: call('orphans'),
} satisfies { [Name in OperationName]: Call<Name> };

function ownEnv(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
