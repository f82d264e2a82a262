import * as z from 'zod/mini';
import { noticeEvents } from '../../model/notice.js';
import type { CommandOptions } from '../../model/operations/command-options.js';
import { checkLabel } from '../../model/run/label.js';
import { leaseDelayS, leaseDelaySMax, leaseEnds } from '../../model/run/lease.js';
import { restartDelayMsDefault, restartDelayMsMax, restartMaxDefault } from '../../model/run/restart.js';
import { restartModes } from '../../model/run/restart-record.js';
import type { BackgroundRun } from '../../registry/background-run.js';
import { RunWaiter } from '../../registry/run-waiter.js';
import { handOver } from './hand-over.js';
import { exit, inputKind, short, status, textMax } from './shared/fields.js';
import { operation } from './shared/operation.js';

const text = z.string().check(z.maxLength(textMax));

/** What a command gets from the program that asks for its start. */
export const callerFields = {
  /** The inherited environment, that of the caller. Default: that of the daemon. Stored only for restarts. */
  inherit: z.optional(z.record(z.string(), text)),
  /** Umask, that of the caller. Default: that of the daemon. */
  umask: z.optional(z.number().check(z.int(), z.minimum(0), z.maximum(0o777))),
  /** Soft limit of open files, that of the caller. Default: that of the daemon. */
  openFiles: z.optional(z.number().check(z.int(), z.minimum(3), z.maximum(2 ** 30))),
};

const pattern = z.string().check(z.minLength(1), z.maxLength(1000));

const notify = z.strictObject({
  events: z._default(z.array(z.enum(noticeEvents)), []),
  /** Texts or /regular expressions/ with flags, matched line by line. */
  patterns: z._default(z.array(pattern).check(z.maxLength(32)), []),
  /** Seconds between periodic state notices; 0: none. */
  everyS: z._default(z.number().check(z.minimum(0), z.maximum(86_400)), 0),
  /** A shell command that gets each notice as JSON on its stdin. */
  command: z.optional(text.check(z.minLength(1))),
  webhook: z.optional(
    z.strictObject({
      /** https, or http on this machine. */
      url: z.string().check(z.maxLength(4096)),
      /** Absolute path of a file with the shared secret; with it, requests are signed. */
      secretFile: z.optional(z.string()),
    }),
  ),
});

const lease = z.strictObject({
  /** Process whose end triggers `whenGone`; in the library, default: this process. */
  pid: z.optional(z.number().check(z.int(), z.minimum(1))),
  /** Field 22 of /proc/PID/stat, to prove that the pid was not reused. */
  startTicks: z.optional(z.number().check(z.int(), z.minimum(0))),
  /** report: a warning and a notice; stop: the run is killed after the delay; keep: nothing. */
  whenGone: z._default(z.enum(leaseEnds), 'report'),
  delayS: z._default(z.number().check(z.minimum(0), z.maximum(leaseDelaySMax)), leaseDelayS),
  /** Then change the owner, as the operation of this name does. */
  handOver: z.optional(handOver.input),
});

const restart = z.strictObject({
  on: z.enum(restartModes),
  /** Restarts in a row before it is given up. */
  max: z._default(z.number().check(z.int(), z.minimum(1), z.maximum(1_000_000)), restartMaxDefault),
  /** Seconds before the first restart; they double each time, up to a minute. */
  delayS: z._default(
    z.number().check(z.minimum(0), z.maximum(restartDelayMsMax / 1000)),
    restartDelayMsDefault / 1000,
  ),
});

/** Values are parsed later like flags: src/config. */
const commandOptions = z.record(z.string(), z.unknown()) as unknown as z.ZodMiniType<
  Record<string, unknown>,
  CommandOptions
>;

export const startOutput = z.object({
  id: z.string(),
  pid: z.nullable(z.number()),
  status,
  exit: z.optional(exit),
  /** The place that it runs in; absent: this machine. */
  on: z.optional(z.string()),
  label: z.string(),
  log: z.string(),
  /** Settings that may not do what was meant. */
  warnings: z.array(z.string()),
});

/** What is known of a run just after its start. */
export function startedRun(run: BackgroundRun): z.input<typeof startOutput> {
  const { id, status: standing, exit: ended } = run.state;
  return {
    id,
    pid: run.pid,
    status: standing,
    ...(ended !== undefined && { exit: ended }),
    ...(run.on !== null && { on: run.on }),
    label: run.record.label,
    log: run.log.path,
    warnings: [...run.warnings],
  };
}

export const start = operation({
  name: 'start',
  summary: 'start a command in the background',
  input: z.strictObject({
    /** A line for the user's login shell, or a program with its arguments. */
    command: z.union([text, z.array(text).check(z.minLength(1))]),
    /** Another place to run in: `ssh:HOST`, `docker:NAME` …, or a name of the configuration. */
    on: z.optional(text.check(z.minLength(1), z.maxLength(4096))),
    cwd: z.optional(z.string()),
    /** Variables added to the inherited environment. */
    env: z._default(z.record(z.string(), text), {}),
    ...callerFields,
    /** Variables to remove: names, with * for anything. */
    envDeny: z._default(z.array(short), []),
    label: z.optional(short),
    task: z.optional(short),
    owner: z.optional(short),
    tags: z._default(z.array(short).check(z.maxLength(64)), []),
    input: z._default(inputKind, 'none'),
    /** Options of `unstuck run` by their keys: timeout, idleTimeout, killOn … */
    options: z._default(commandOptions, {}),
    /** Notices to send. */
    notify: z.optional(notify),
    /** Ties the run to another process. */
    lease: z.optional(lease),
    /** Start it again when it ends. Its environment is then stored, readable by its owner only. */
    restart: z.optional(restart),
    /** Seconds to wait for it to end, to ask or to be stuck, before answering. */
    waitS: z._default(z.number().check(z.minimum(0)), 0),
  }),
  output: startOutput,
  handle: async ({ waitS, ...request }, { registry, requestId, signal }) => {
    checkLabel(request.label);
    const run = await registry.start(request, requestId);
    if (waitS > 0) {
      await new RunWaiter(run, { timeoutS: waitS, until: ['exit', 'needs-input', 'stuck'] }).wait(signal);
    }
    return startedRun(run);
  },
});
