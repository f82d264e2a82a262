import * as z from 'zod/mini';
import { background } from '../../control/background.js';
import { startOnHost } from '../../control/fleet/start.js';
import { type OperationInput, operations } from '../../control/operations/table.js';
import type { CommandOptions } from '../../model/operations/command-options.js';
import { restartModes } from '../../model/run/restart-record.js';
import { formatStarted } from '../actions/format-started.js';
import type { ToolAnswer } from '../answer.js';
import { tool } from '../tool.js';
import { waitMore } from '../wait-more.js';
import { bounds, duration, secondsIn } from './bounds.js';
import { host } from './host.js';

const { shape } = operations.start.input;

/** Long enough to see a typo fail, short enough not to matter. */
const waitDefaultS = 1;

export const start = tool({
  name: 'start',
  title: 'Start a command',
  description: `Start a command in the background and get its run id. For anything that may take more than a few seconds, may ask a question, or keeps running: dev servers, builds, tests, installs, watchers. It gets this server's environment and directory, outlives this conversation, and all its output is kept.
Good calls: {"command": "npm test", "waitS": 30}; {"command": "npm run dev", "label": "web"} and then process {"action": "wait", "id": …, "until": ["port"]}; {"command": "npm init", "stdin": true}, then process wait until ["needs-input", "quiet"], then process submit for each question.`,
  annotations: { destructiveHint: true, idempotentHint: false, openWorldHint: true },
  searchHint: 'run a command in the background: dev server, build, test, install, watcher, time limit',
  input: z.strictObject({
    command: shape.command,
    host,
    cwd: shape.cwd,
    env: z.optional(shape.env),
    label: shape.label,
    pty: z.optional(z.boolean()),
    stdin: z.optional(z.boolean()),
    watch: z.optional(z.array(z.string().check(z.minLength(1), z.maxLength(1000))).check(z.maxLength(32))),
    notifyOnExit: z.optional(z.boolean()),
    waitS: z.optional(z.number().check(z.minimum(0))),
    ...bounds.shape,
    task: shape.task,
    tags: z.optional(shape.tags),
    restart: z.optional(z.enum(restartModes)),
    notifyEvery: duration,
  }),
  fields: {
    command: 'A line for the login shell, or a list of program and arguments, run without a shell',
    host: 'Machine of the fleet to run on',
    cwd: 'Absolute path; default: the directory of this server',
    env: 'Variables added to the environment of this server',
    label: 'A short name for lists',
    pty: 'Run it in a terminal (full-screen programs, ssh, programs that prompt only on a terminal)',
    stdin:
      'Keep stdin open, to answer questions with process submit. Without stdin or pty it reads end of file',
    watch:
      'Texts or /regex/: a notice is added to a later answer when a line matches. Cannot be combined with notifyOnExit',
    notifyOnExit: 'Add a notice to a later answer when it has ended. On by default, unless watch is given',
    ...bounds.fields,
    task: 'The task it belongs to, for list',
    tags: 'Tags, for list',
    restart: 'Start it again when it has ended',
    notifyEvery: 'Add a notice about its state every so often, such as 5m',
    waitS: 'Seconds to wait for it to end or to ask, before this call answers; default 1, at most 50',
  },
  handle: async (input, { session, signal, reportProgress }): Promise<ToolAnswer> => {
    const { command, host, cwd, env, label, task, tags, restart } = input;
    const { pty, stdin, watch, notifyOnExit, notifyEvery, waitS = waitDefaultS } = input;
    const reportsExit = notifyOnExit ?? watch === undefined;
    const request = {
      ...given({ cwd, env, label, task, tags }),
      command,
      ...(restart !== undefined && { restart: { on: restart } }),
      owner: session.owner,
      input: pty ? 'pty' : stdin ? 'pipe' : 'none',
      options: given(bounds.of(input)) as CommandOptions,
      // Notices of another machine do not reach this server.
      ...(host === undefined && {
        notify: {
          events: [...(reportsExit ? (['exit'] as const) : []), 'needs-input' as const, 'stuck' as const],
          patterns: watch ?? [],
          everyS: secondsIn('notifyEvery', notifyEvery),
        },
      }),
    } satisfies OperationInput<'start'>;
    const launch = (tie: Pick<OperationInput<'start'>, 'lease'>) =>
      background.start({ ...request, ...tie }, { signal });
    const started = await session.startAllowed(command, () =>
      host === undefined ? session.startLeased(launch) : startOnHost(host, request, { signal }),
    );
    session.notices.expect();
    const { id } = started;
    return formatStarted(
      started,
      await waitMore({ session, signal, reportProgress }, { id, timeoutS: waitS }),
    );
  },
});

/** Drops undefined fields, so that the operation applies its defaults. */
function given<T extends object>(input: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  const entries = Object.entries(input).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Key in keyof T]: Exclude<T[Key], undefined> };
}
