import type { CommandOptions } from '../model/command-options.js';
import { Failure } from '../model/failure.js';
import { onAbort } from '../model/own-signal.js';
import type { RunEvent, RunReport, Stream } from '../model/run.js';
import { settingsFor } from './config.js';
import { startRun } from './run.js';

/** The options of `unstuck run`, as they are typed there (`timeout: '10m'`), and what only a program has. */
export interface RunOptions extends CommandOptions {
  /** Directory to run in; the current one if not given. */
  cwd?: string | undefined;
  /** The whole environment of the command; that of this process if not given. */
  env?: NodeJS.ProcessEnv | undefined;
  /** A descriptor for the command to read; /dev/null if not given. */
  input?: number | undefined;
  /** You can answer the command's questions: then a question is an event, not a fault. */
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
  checkWords(command);
  const { cwd, env, input, canAnswer, onOutput, onEvent, signal, ...flags } = options;
  const surroundings = { cwd: cwd ?? process.cwd(), env: env ?? process.env };
  const { settings, projectLimits } = settingsFor(flags, surroundings);
  signal?.throwIfAborted();
  const handle = startRun({
    command,
    settings,
    projectLimits,
    ...surroundings,
    streams: 2,
    stdin: input ?? null,
    terminal: null,
    canAnswer: canAnswer ?? false,
    output: async (stream, chunk) => onOutput?.(stream, chunk),
    listen: (event) => onEvent?.(event),
  });
  const stop = () => {
    handle.interrupt('SIGTERM');
    setTimeout(() => handle.interrupt('SIGKILL'), settings.graceMs).unref();
  };
  const letGo = onAbort(signal, stop);
  try {
    return await handle.done;
  } finally {
    letGo();
  }
}

/** Not every caller has a compiler. */
function checkWords(command: unknown): void {
  if (Array.isArray(command) && command.every((word) => typeof word === 'string')) return;
  throw new Failure(
    'bad-input',
    'the command is no array of strings',
    "give each word on its own: run(['npm', 'test']); a line for a shell: run(['sh', '-c', 'npm test | tail'])",
  );
}
