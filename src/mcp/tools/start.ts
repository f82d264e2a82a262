import * as z from 'zod/mini';
import { background } from '../../control/background.js';
import { type OperationInput, operations } from '../../control/operations/table.js';
import type { Told } from '../answer.js';
import { tool } from '../tool.js';
import { waitMore } from '../wait-more.js';
import { afterWait, lostWords, outputWords, wokenWords } from '../words.js';

const { command, cwd, env, label } = operations.start.input.shape;

/** Long enough to see a typing error, short enough not to matter. */
const waitDefaultS = 1;

export const start = tool({
  name: 'start',
  title: 'Start a command',
  description: `Start a command in the background and get its run id. For anything that may take more than a few seconds, may ask a question, or keeps running: dev servers, builds, tests, installs, watchers. It gets this server's environment and directory, survives this conversation, and all its output is kept.
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
    command: 'A line for the login shell, or a list: program and arguments as they are, no shell',
    cwd: 'Absolute path; where this server runs if left out',
    env: 'Variables on top of those of this server',
    label: 'A short name for lists',
    pty: 'It needs a terminal (full-screen programs, ssh, programs that only ask at a terminal)',
    stdin:
      'It may ask something: answer with process submit. Without it (or pty) it reads end of file at once',
    watch:
      'Texts or /regex/: a notice comes with a later answer when a line has one of them. Not together with notifyOnExit',
    notifyOnExit: 'A notice comes with a later answer when it has ended. On unless watch is given',
    waitS: 'Wait so long for it to end or to ask before answering; 1 if left out, at most 50',
  },
  handle: async (input, { session, signal, tellProgress }): Promise<Told> => {
    const { pty, stdin, watch, notifyOnExit, waitS = waitDefaultS, ...rest } = input;
    const tellsExit = notifyOnExit ?? watch === undefined;
    const events = [...(tellsExit ? (['exit'] as const) : []), 'needs-input', 'stuck'] as const;
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
    const started = await session.mayStart(rest.command, () => session.startLeased(launch));
    session.notices.expect();
    const { id, pid, label: name, warnings } = started;
    const woken = await waitMore({ session, signal, tellProgress }, { id, timeoutS: waitS });
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
        status === 'timeout' ? `${id} (${name}) runs, pid ${pid}.` : wokenWords(woken),
        ...warnings.map((warning) => `warning: ${warning}`),
        ...lostWords(outputLost),
        outputWords(output),
      ].join('\n'),
      next: afterWait(woken),
    };
  },
});

/** Only what was given: what is left out has its default in the operation. */
function given<T extends object>(input: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  const entries = Object.entries(input).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Key in keyof T]: Exclude<T[Key], undefined> };
}
