import { Failure } from '../model/failure.js';
import type { CommandOptions } from '../model/operations/command-options.js';
import { onAbort } from '../model/own-signal.js';
import type { RetryEvent, RunEvent, RunReport, Stream } from '../model/run/run.js';
import { settingsFor } from './config.js';
import { type AttemptPlan, startRun } from './run.js';

/** The options of `unstuck run`, in the same form (`timeout: '10m'`), and options for programs. */
export interface RunOptions extends CommandOptions {
  /** Directory to run in; default: the current directory. */
  cwd?: string | undefined;
  /** The whole environment of the command; default: that of this process. */
  env?: NodeJS.ProcessEnv | undefined;
  /** A descriptor for stdin of the command; default: /dev/null. */
  input?: number | undefined;
  /** The caller can answer questions: then a question is an event, not a failure. */
  canAnswer?: boolean | undefined;
  /** Gets every byte in order; copy the chunk to keep it. A promise that it returns is awaited. */
  onOutput?: ((stream: Stream, chunk: Buffer) => Promise<void> | void) | undefined;
  /** A listener that throws is reported as a warning of Node and in the report; the run goes on. */
  onEvent?: ((event: RunEvent) => void) | undefined;
  /** TERM to the tree; after the grace time KILL. */
  signal?: AbortSignal | undefined;
}

/** `unstuck run` as a function: resolves with the report, whatever the end was; rejects when it cannot start. */
export async function run(command: readonly string[], options: RunOptions = {}): Promise<RunReport> {
  checkCommand(command);
  const { cwd, env, input, canAnswer, onOutput, onEvent, signal, ...flags } = options;
  const surroundings = { cwd: cwd ?? process.cwd(), env: env ?? process.env };
  const { settings, projectLimits } = settingsFor(flags, surroundings);
  signal?.throwIfAborted();
  const runOnce = async (attempt?: AttemptPlan): Promise<RunReport> => {
    let retry: RetryEvent | null = null;
    const handle = startRun({
      command,
      settings,
      projectLimits,
      ...surroundings,
      streams: 2,
      stdin: input ?? null,
      terminal: null,
      canAnswer: canAnswer ?? false,
      attempt: attempt && {
        ...attempt,
        goesOn(report, file) {
          retry = attempt.goesOn(report, file);
          return retry;
        },
      },
      output: async (stream, chunk) => onOutput?.(stream, chunk),
      listen: (event) => onEvent?.(event),
    });
    const stop = () => {
      handle.interrupt('SIGTERM', true);
      setTimeout(() => handle.interrupt('SIGTERM', true), settings.graceMs).unref();
    };
    const release = onAbort(signal, stop);
    try {
      return await handle.done;
    } finally {
      release();
      if (retry !== null) onEvent?.(retry);
    }
  };
  const { retry } = settings;
  if (retry === 0) return runOnce();
  const { withRetries } = await import('./run-attempts.js');
  return withRetries({
    retry,
    run: runOnce,
    mayGoOn: () => signal?.aborted !== true,
  });
}

/** Plain JavaScript callers have no type check. */
function checkCommand(command: unknown): void {
  if (Array.isArray(command) && command.every((word) => typeof word === 'string')) return;
  throw new Failure(
    'bad-input',
    'the command must be an array of strings',
    "pass one string per argument: run(['npm', 'test']), or use a shell: run(['sh', '-c', 'npm test | tail'])",
  );
}
