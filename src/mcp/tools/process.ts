import type { InputRequiredResult } from '@modelcontextprotocol/server';
import * as z from 'zod/mini';
import { operations } from '../../control/operations/table.js';
import { wakeUps } from '../../model/background.js';
import { Failure } from '../../model/failure.js';
import { actions } from '../actions/table.js';
import type { Told } from '../answer.js';
import { tool } from '../tool.js';

const { log, wait, write } = operations;
const names = Object.keys(actions) as (keyof typeof actions)[];

export const processTool = tool({
  name: 'process',
  title: 'Look at, wait for, answer or stop runs',
  description: `Everything about runs that were started. action:
- wait: sleep until something happens, at most 50 s a call; costs nothing, so prefer it to poll. until: exit, needs-input, stuck (these three if left out), match (with match), port (with port, or any), quiet (new output, then none for quietS). status "timeout" means still running, not an error: wait again. The answer has the output since your last look.
- poll: how it is now, and its output since your last look. log: any lines by offset and limit (the last 200 if left out), only those that look like failures with errors, or only those with search (text or /regex/).
- submit: answer a question (Enter is added) and see what comes next; write: the same as it is; close: end of file on its stdin.
- kill: stop it with everything it started. list: your runs.
Good calls: {"action":"wait","id":"run_1a2b3c4d5e6f","until":["exit","port"]}; {"action":"log","id":"1a2b","errors":true}; {"action":"submit","id":"1a2b","data":"yes"}.`,
  annotations: { destructiveHint: true, openWorldHint: true },
  input: z.strictObject({
    action: z.enum(names),
    id: z.optional(wait.input.shape.id),
    data: z.optional(write.input.shape.data),
    timeoutS: z.optional(z.number().check(z.minimum(0))),
    until: z.optional(z.array(z.enum(wakeUps))),
    match: wait.input.shape.match,
    port: wait.input.shape.port,
    quietS: wait.input.shape.quietS,
    offset: log.input.shape.offset,
    limit: z.optional(log.input.shape.limit.def.innerType),
    search: log.input.shape.search,
    errors: z.optional(z.boolean()),
    ask: z.optional(z.boolean()),
    all: z.optional(z.boolean()),
  }),
  fields: {
    action: 'What to do',
    id: 'The run: its id, or the first 4 characters of it',
    data: 'write, submit: what to type',
    timeoutS: 'wait: at most so long, 50 if left out. submit: how long to look at what comes next, 3',
    until: 'wait: whichever comes first; its end always counts',
    match: 'wait: a text or /regex/ in a line it prints from now on',
    port: 'wait: until it listens on this port',
    quietS: 'wait until quiet: so long without more output, 10',
    offset: 'log: first line, counted from 0',
    limit: 'log: so many lines, 200. poll: so many characters, 1000',
    search: 'log: only lines with this text or /regex/',
    errors: 'log: only lines that look like failures',
    ask: 'wait, submit: let the person answer what it asks, if your client can ask. Not for passwords',
    all: 'Also runs of other clients',
  },
  handle: async (input, context): Promise<Told | InputRequiredResult> => {
    const { action, all, ...rest } = input;
    const { takes, act } = actions[action];
    const given = Object.entries(rest).filter(([, value]) => value !== undefined);
    const surplus = given.find(([field]) => !takes.includes(field as keyof typeof rest));
    if (surplus !== undefined) {
      throw new Failure(
        'bad-input',
        `${action}: unknown field ${surplus[0]}`,
        `it takes: ${takes.join(', ') || 'nothing'}`,
      );
    }
    if (takes.includes('id') && rest.id === undefined) {
      throw new Failure(
        'bad-input',
        `${action}: id must be a text; it is missing`,
        `it takes: ${takes.join(', ')}`,
      );
    }
    return act({ ...rest, id: rest.id ?? '', all: all === true }, context);
  },
});
