import type { OperationInput, OperationName, OperationOutput } from '../model/operations/operations.js';
import { callOperation } from './client/daemon-client.js';
import { ownUmask } from './own-umask.js';

/** Options of every operation of `background`. */
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

/** The operations of the daemon. */
interface Background {
  /** Start a command in the background. */
  start: Call<'start'>;
  /** List the runs. */
  list: Call<'list'>;
  /** The runs that have changed since a cursor; waits for a change. */
  changes: Call<'changes'>;
  /** CPU, memory, I/O and output of runs over time. */
  samples: Call<'samples'>;
  /** The state of a run, and what it printed since this reader asked last. */
  poll: Call<'poll'>;
  /** Lines of the output of a run. */
  log: Call<'log'>;
  /** Bytes of the output of a run from an offset. */
  read: Call<'read'>;
  /** Wait until a run ends, needs input, is stuck, prints a text, opens a port or goes quiet. */
  wait: Call<'wait'>;
  /** Wait for all of several runs, or for the first of them. */
  waitMany: Call<'waitMany'>;
  /** Stop a run with everything it started. */
  kill: Call<'kill'>;
  /** Stop all runs, or those of a task or an owner. */
  killAll: Call<'killAll'>;
  /** Stop one process of a run with everything it started. */
  killPart: Call<'killPart'>;
  /** Stop a run and start the same request again. */
  restart: Call<'restart'>;
  /** Start the request of a run once more. */
  rerun: Call<'rerun'>;
  /** Stop all processes of a run for a while. */
  pause: Call<'pause'>;
  /** Let a paused run go on. */
  resume: Call<'resume'>;
  /** Send a signal to a run. */
  signal: Call<'signal'>;
  /** Forget an ended run and delete its files. */
  remove: Call<'remove'>;
  /** Write to the stdin of a run. */
  write: Call<'write'>;
  /** Write a line to the stdin of a run. */
  submit: Call<'submit'>;
  /** End the stdin of a run. */
  close: Call<'close'>;
  /** Change the size of the terminal of a run. */
  resize: Call<'resize'>;
  /** Whether any run of a task, an owner or a tag is running. */
  isActive: Call<'isActive'>;
  /** Give all runs of an owner to another owner, or to none. */
  handOver: Call<'handOver'>;
  /** Where the files of a run are. */
  inspect: Call<'inspect'>;
  /** Notices of runs; each is given until it is acknowledged. */
  notices: Call<'notices'>;
  /** Orphans that the daemon found at its last scan. */
  orphans: Call<'orphans'>;
  /** Watch a tool that an agent has begun. */
  toolBegan: Call<'toolBegan'>;
  /** End that watch; the answer is what the agent should know about the tool. */
  toolEnded: Call<'toolEnded'>;
}

/**
 * Commands in the background, as functions: the operations of the daemon, which is started when it is needed. A
 * command gets the environment, the umask and the directory of the caller, unless others are given.
 */
export const background: Background = {
  start: (input, options) =>
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
    ),
  list: call('list'),
  changes: call('changes'),
  samples: call('samples'),
  poll: call('poll'),
  log: call('log'),
  read: call('read'),
  wait: call('wait'),
  waitMany: call('waitMany'),
  kill: call('kill'),
  killAll: call('killAll'),
  killPart: call('killPart'),
  restart: (input, options) => callOperation('restart', { ...asCaller(), ...input }, options),
  rerun: (input, options) => callOperation('rerun', { ...asCaller(), ...input }, options),
  pause: call('pause'),
  resume: call('resume'),
  signal: call('signal'),
  remove: call('remove'),
  write: call('write'),
  submit: call('submit'),
  close: call('close'),
  resize: call('resize'),
  isActive: call('isActive'),
  handOver: call('handOver'),
  inspect: call('inspect'),
  notices: call('notices'),
  orphans: call('orphans'),
  toolBegan: call('toolBegan'),
  toolEnded: call('toolEnded'),
} satisfies { [Name in OperationName]: Call<Name> };

const asCaller = () => ({ inherit: ownEnv(), umask: ownUmask() });

function ownEnv(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
