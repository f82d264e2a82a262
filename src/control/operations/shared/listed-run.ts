import * as z from 'zod/mini';
import type { ListedRun } from '../../../model/operations/outputs.js';
import { restartModes } from '../../../model/run/restart-record.js';
import type { BackgroundRun } from '../../../registry/background-run.js';
import type { Registry } from '../../../registry/registry.js';
import { estimate, exit, health, inputKind, outputLost, paused, status, unreachableSince } from './fields.js';

/** One run of a list. */
export const listedRun = z.object({
  id: z.string(),
  label: z.string(),
  /** Secrets masked. */
  command: z.string(),
  status,
  /** The place that it runs in; absent: this machine. */
  on: z.optional(z.string()),
  /** null: never seen running. */
  pid: z.nullable(z.number()),
  startedAt: z.string(),
  uptimeS: z.number(),
  health,
  /** It waits for an answer: use write, submit or attach. */
  paused,
  unreachableSince,
  /** It is started again when it ends; absent: it is not. */
  restart: z.optional(
    z.object({
      on: z.enum(restartModes),
      attempt: z.number(),
      nextAt: z.nullable(z.string()),
      over: z.nullable(z.string()),
    }),
  ),
  needsInput: z.boolean(),
  /** One short sentence: the reason for the health. */
  why: z.string(),
  exit: z.optional(exit),
  outputLost,
  task: z.nullable(z.string()),
  owner: z.nullable(z.string()),
  tags: z.array(z.string()),
  cwd: z.string(),
  /** 100 is one core. */
  cpuPercent: z.number(),
  residentBytes: z.number(),
  outputBytes: z.number(),
  /** The last line of output, without control sequences. */
  lastLine: z.string(),
  /** `142/500`, as reported in its output; null: not reported. */
  progress: z.nullable(z.string()),
  input: inputKind,
  /** What to do about its state, in one sentence; absent: nothing. */
  recommendation: z.optional(z.string()),
  /** How far it has come, by its progress or by earlier runs of the command; absent: not known. */
  estimate,
});

/** `isPolled`: its output was looked at a moment ago, and what was lost of it. */
export function listedRunOf(registry: Registry, run: BackgroundRun, isPolled = false): ListedRun {
  const { label, command, startedAt, cwd, background } = run.record;
  const { task, owner, tags } = background;
  const {
    id,
    status: standing,
    health: seen,
    why,
    exit: ended,
    outputLost: lost,
    paused: isPaused,
    unreachableSince: away,
  } = run.stateWith(isPolled ? run.knownLoss : run.outputLost);
  const { tail, clues } = run.log;
  const { estimate: far, recommendation } = run;
  const restart = registry.restarts.stateOf(run);
  if (standing === 'running' && !isPolled) tail.catchUp();
  // Not `...run.state` first: properties after a spread are added one by one, which takes as long as everything
  // else.
  return {
    id,
    status: standing,
    health: seen,
    why,
    needsInput: run.trouble === 'needs-input',
    label,
    command,
    pid: run.pid,
    startedAt,
    uptimeS: Math.round(run.elapsedMs / 1000),
    task,
    owner,
    tags,
    cwd,
    cpuPercent: run.sample?.cpuPercent ?? 0,
    residentBytes: run.sample?.residentBytes ?? 0,
    outputBytes: tail.bytes,
    lastLine: tail.tail.lastLine,
    progress: clues.progress()?.text ?? null,
    input: background.input,
    ...(run.on !== null && { on: run.on }),
    ...(recommendation !== null && { recommendation }),
    ...(far !== null && { estimate: far }),
    ...(ended !== undefined && { exit: ended }),
    ...(lost !== undefined && { outputLost: lost }),
    ...(restart !== undefined && { restart }),
    ...(away !== undefined && { unreachableSince: away }),
    ...(isPaused === true && { paused: true as const }),
  };
}
