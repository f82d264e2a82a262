import { type InputRequiredResult, isInputRequiredResult } from '@modelcontextprotocol/server';
import * as z from 'zod/mini';
import { operations } from '../../control/operations/table.js';
import { Failure } from '../../model/failure.js';
import { wakeUps } from '../../model/run/background.js';
import { fullIds } from '../actions/full-ids.js';
import { actions } from '../actions/table.js';
import { type ToolAnswer, withNotes } from '../answer.js';
import { tool } from '../tool.js';
import { host, onHost } from './host.js';

const { list, log, wait, waitMany, write } = operations;
const names = Object.keys(actions) as (keyof typeof actions)[];

export const processTool = tool({
  name: 'process',
  title: 'Inspect, wait for, answer or stop runs',
  description: `Inspect and control runs. action:
- wait: sleep until something happens, at most 50 s per call; costs nothing, so prefer it to poll. until: exit, needs-input, stuck (these three by default), match (with match), port (with port, or any port), quiet (new output, then none for quietS). status "timeout" means still running, not an error: wait again. The answer has the output since your last wait or poll.
- poll: its state now, and its output since your last wait or poll. log: lines by offset and limit (the last 200 by default), with errors only lines that look like failures, with search only lines that contain a text or match a /regex/.
- submit: type an answer (Enter is added) and get the output that follows; write: send data unchanged to its stdin; close: close its stdin (end of file).
- kill: stop the run with everything it started. restart: kill it and start it again. list: your runs, or those of a task or tag.
Good calls: {"action":"wait","id":"run_1a2b3c4d5e6f","until":["exit","port"]}; {"action":"log","id":"1a2b","errors":true}; {"action":"submit","id":"1a2b","data":"yes"}.`,
  annotations: { destructiveHint: true, idempotentHint: false, openWorldHint: true },
  searchHint: 'background command: wait for end, port or text, output, log, answer a prompt, kill',
  input: z.strictObject({
    action: z.enum(names),
    id: z.optional(wait.input.shape.id),
    ids: z.optional(waitMany.input.shape.ids),
    host,
    mode: z.optional(waitMany.input.shape.mode.def.innerType),
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
    task: list.input.shape.task,
    tag: list.input.shape.tag,
    all: z.optional(z.boolean()),
  }),
  fields: {
    action: 'The action',
    id: 'The run: its id, at least 4 characters of it, or its label',
    ids: 'wait: several runs instead of id',
    host: 'Machine of the fleet; list: * for all',
    mode: 'wait with ids: for all of them (default), or any',
    data: 'write, submit: the text to send',
    timeoutS: 'wait: maximum seconds, default 50. submit: seconds to follow the output, default 3',
    until: 'wait: events to wait for, whichever comes first; the end of the run always ends the wait',
    match: 'wait: a text or /regex/ in a line printed from now on',
    port: 'wait: until it listens on this port',
    quietS: 'wait until quiet: seconds without output, default 10',
    offset: 'log: first line, counted from 0',
    limit: 'log: maximum lines, default 200. poll: maximum characters, default 1000',
    search: 'log: only lines with this text or /regex/',
    errors: 'log: only lines that look like failures',
    ask: 'wait, submit: ask the user for the answer, if your client supports elicitation. Not for passwords',
    task: 'list: only runs of this task',
    tag: 'list: only runs with this tag',
    all: 'Include runs of other clients',
  },
  handle: async (input, context): Promise<ToolAnswer | InputRequiredResult> => {
    const { action, all, host, ...rest } = input;
    const { takes, act } = actions[action];
    const given = Object.entries(rest).filter(([, value]) => value !== undefined);
    const surplus = given.find(([field]) => !takes.includes(field as keyof typeof rest));
    if (surplus !== undefined) {
      throw new Failure(
        'bad-input',
        `${action}: unknown field ${surplus[0]}`,
        `it takes: ${takes.join(', ') || 'no other fields'}`,
      );
    }
    const { id, ids, ...fields } = rest;
    if (takes.includes('id') && (id === undefined) === (ids === undefined)) {
      const problem = id === undefined ? 'id is missing' : 'give either id or ids';
      throw new Failure('bad-input', `${action}: ${problem}`, `it takes: ${takes.join(', ')}`);
    }
    const handles = (ids ?? (id === undefined ? [] : [id])).map((one) => onHost(host, one));
    const runs = await fullIds(handles, all === true, context);
    const which = { id: runs.ids[0] ?? '', ...(ids !== undefined && { ids: runs.ids }) };
    const where = action === 'list' && host !== undefined ? { host } : {};
    const answer = await act({ ...fields, ...which, ...where, all: all === true }, context);
    return isInputRequiredResult(answer) ? answer : withNotes(answer, runs.notes);
  },
});
