import * as z from 'zod/mini';
import { background } from '../../control/background.js';
import { type OperationInput, operations } from '../../control/operations/table.js';
import type { ToolAnswer } from '../answer.js';
import { tool } from '../tool.js';
import { waitMore } from '../wait-more.js';
import { afterWait, formatLost, formatOutput, formatWoken } from '../words.js';

const { command, cwd, env, label } = operations.start.input.shape;

/** Long enough to see a typo fail, short enough not to matter. */
const waitDefaultS = 1;

export const start = tool({
  name: 'start',
  title: 'Start a command',
  description: `Start a command in the background and get its run id. For anything that may take more than a few seconds, may ask a question, or keeps running: dev servers, builds, tests, installs, watchers. It gets this server's environment and directory, outlives this conversation, and all its output is kept.
Good calls: {"command": "npm test", "waitS": 30}; {"command": "npm run dev", "label": "web"} and then process {"action": "wait", "id": …, "until": ["port"]}; {"command": "npm init", "stdin": true}, then process wait until ["needs-input", "quiet"], then process submit for each question.`,
  annotations: { destructiveHint: false, openWorldHint: true },
  input: z.strictObject({
    command,
    cwd,
    env: z.optional(env),
    label,
    pty: z.optional(z.boolean()),
    stdin: z.optional(z.boolean()),
    watch: z.optional(z.array(z.string().check(z.minLength(1), z.maxLength(1000))).check(z.maxLength(32))),
    notifyOnExit: z.optional(z.boolean()),
    waitS: z.optional(z.number().check(z.minimum(0))),
  }),
  fields: {
    command: 'A line for the login shell, or a list of program and arguments, run without a shell',
    cwd: 'Absolute path; default: the directory of this server',
    env: 'Variables added to the environment of this server',
    label: 'A short name for lists',
    pty: 'Run it in a terminal (full-screen programs, ssh, programs that prompt only on a terminal)',
    stdin:
      'Keep stdin open, to answer questions with process submit. Without stdin or pty it reads end of file',
    watch:
      'Texts or /regex/: a notice is added to a later answer when a line matches. Cannot be combined with notifyOnExit',
    notifyOnExit: 'Add a notice to a later answer when it has ended. On by default, unless watch is given',
    waitS: 'Seconds to wait for it to end or to ask, before this call answers; default 1, at most 50',
  },
  handle: async (input, { session, signal, reportProgress }): Promise<ToolAnswer> => {
    const { pty, stdin, watch, notifyOnExit, waitS = waitDefaultS, ...rest } = input;
    const reportsExit = notifyOnExit ?? watch === undefined;
    const events = [...(reportsExit ? (['exit'] as const) : []), 'needs-input', 'stuck'] as const;
    const launch = (tie: Partial<OperationInput<'start'>>) =>
      background.start(
        {
          ...given(rest),
          ...tie,
          command: rest.command,
          owner: session.owner,
          input: pty ? 'pty' : stdin ? 'pipe' : 'none',
          notify: { events: [...events], patterns: watch ?? [] },
        },
        { signal },
      );
    const started = await session.startAllowed(rest.command, () => session.startLeased(launch));
    session.notices.expect();
    const { id, pid, label: name, warnings } = started;
    const woken = await waitMore({ session, signal, reportProgress }, { id, timeoutS: waitS });
    const { output, omitted, status, exit, health, why, outputLost } = woken;
    const isRunning = status !== 'exited' && status !== 'lost';
    return {
      data: {
        id,
        pid,
        status: isRunning ? 'running' : status,
        label: name,
        health,
        why,
        output,
        ...(status === 'needs-input' && { needsInput: true }),
        ...(omitted > 0 && { omitted }),
        ...(exit !== undefined && { exit }),
        ...(outputLost !== undefined && { outputLost }),
        ...(warnings.length > 0 && { warnings }),
      },
      text: [
        status === 'timeout' ? `${id} (${name}) is running, pid ${pid}.` : formatWoken(woken),
        ...warnings.map((warning) => `warning: ${warning}`),
        ...formatLost(outputLost),
        formatOutput(output),
      ].join('\n'),
      next: afterWait(woken),
    };
  },
});

/** Drops undefined fields, so that the operation applies its defaults. */
function given<T extends object>(input: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  const entries = Object.entries(input).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Key in keyof T]: Exclude<T[Key], undefined> };
}
