import * as z from 'zod/mini';
import { background } from '../../control/background.js';
import { whyRun } from '../../control/elsewhere/why-run.js';
import { whyOnHost } from '../../control/fleet/why.js';
import { operations } from '../../control/operations/table.js';
import { Failure } from '../../model/failure.js';
import { agentWaitWords } from '../../model/run/agent.js';
import { stuckKinds, type WhyAnswer } from '../../model/verdict.js';
import { kindWords } from '../../model/verdict-words.js';
import { formatDuration } from '../../text/duration.js';
import { quoted } from '../../text/visible.js';
import { type ToolAnswer, withNotes } from '../answer.js';
import { type ToolContext, tool } from '../tool.js';
import { waitCall } from '../words.js';

const evidenceMax = 6;
const chainMax = 8;
const commandChars = 100;
const partsMax = 5;

export const why = tool({
  name: 'why',
  title: 'Explain what a process waits for',
  description: `Read from the kernel what a run, or any process of this user, is doing or waiting for, and why: working, waiting for input, a lock, the network or a timer, deadlocked, stopped, with evidence. Takes a tenth of a second and changes nothing. Use it when something takes longer than it should, before you kill or retry it. Good calls: {"id": "run_1a2b3c4d5e6f"}; {"pid": 4371}.`,
  annotations: { readOnlyHint: true, openWorldHint: false },
  searchHint: 'why a process hangs, is stuck, frozen, deadlocked, waits for input',
  input: z.strictObject({
    id: z.optional(operations.wait.input.shape.id),
    pid: z.optional(z.number().check(z.int(), z.minimum(1))),
    all: z.optional(z.boolean()),
  }),
  fields: {
    id: 'A run: its id, at least 4 characters of it, or its label',
    pid: 'Any process instead of a run',
    all: 'Include runs of other clients',
  },
  handle: async ({ id, pid, all }, context): Promise<ToolAnswer> => {
    if ((id === undefined) === (pid === undefined)) {
      throw new Failure(
        'bad-input',
        'why: give either id or pid',
        'list your runs: process {"action":"list"}',
      );
    }
    // A pid of another machine must not be read on this one.
    const there = id === undefined ? null : await whyOnHost(id, { signal: context.signal });
    if (there !== null) return format(there, id ?? null);
    const run = id === undefined ? null : await runningOne(id, all, context);
    const subject = run ?? { pid: pid ?? 0 };
    const { answer } = await whyRun(subject, { signal: context.signal, screen: run?.screen });
    const waiting = run?.agent === undefined ? null : agentWaitWords(run.agent);
    const evidence = [...(waiting === null ? [] : [waiting]), ...answer.verdict.evidence];
    const formatted = format({ ...answer, verdict: { ...answer.verdict, evidence } }, run?.id ?? null);
    return withNotes(formatted, run?.notes ?? []);
  },
});

/** The pid of a process that has ended may have been reused. */
async function runningOne(id: string, all: boolean | undefined, { session, signal }: ToolContext) {
  const found = await background.inspect({ id, ...session.scope(all) }, { signal });
  const { agent, ambiguous, pid, screen, on } = found;
  const notes = ambiguous === undefined ? [] : [ambiguous.message];
  if (found.status === 'running' && pid !== null)
    return { id: found.id, pid, on, screen, notes, ...(agent !== undefined && { agent }) };
  throw new Failure(
    'run-ended',
    `${found.id} has ended`,
    `read its output: process {"action":"log","id":"${found.id}"}`,
  );
}

function format(
  { target, verdict, chain, findings, absent, stillMs }: WhyAnswer,
  id: string | null,
): ToolAnswer {
  const { kind, certainty, reason, evidence } = verdict;
  const links = chain.slice(0, chainMax).map(({ pid, command, waitsFor }) => ({
    ...{ pid, command: command.slice(0, commandChars) },
    ...(waitsFor !== '' && { waitsFor }),
  }));
  const still = stillMs === null ? '' : ` Nothing has moved for ${formatDuration(stillMs)}.`;
  const lines = evidence.slice(0, evidenceMax);
  const parts = findings.slice(0, partsMax).map((finding) => ({
    ...{ kind: finding.kind, certainty: finding.certainty, pid: finding.pid, root: finding.root.pid },
    ...{ command: finding.command.slice(0, commandChars), reason: finding.reason },
  }));
  return {
    message: [
      `${kindWords[kind]}, ${certainty}: ${reason}.${still}`,
      ...parts.map(
        (part) =>
          `A part of it is stuck, ${part.certainty}: ${part.reason}. To stop only that part: kill ${part.root}`,
      ),
    ].join('\n'),
    rows: [
      ...links.map(({ pid, command, waitsFor }) => {
        const wait = waitsFor === undefined ? '' : ` waits for ${waitsFor}`;
        return `  ${quoted(command, commandChars)} (${pid})${wait}`;
      }),
      ...lines.map((line) => `- ${line}`),
    ],
    data: {
      ...(id !== null && { id }),
      target: { pid: target.pid, command: target.command.slice(0, commandChars) },
      verdict: { kind, certainty, pid: verdict.pid, reason, evidence: lines },
      chain: links,
      ...(parts.length > 0 && { findings: parts }),
      ...(absent.length > 0 && { absent: absent.map(({ fact, why }) => `${fact}: ${why}`).slice(0, 3) }),
    },
    next: nextStep(kind, id),
  };
}

function nextStep(kind: WhyAnswer['verdict']['kind'], id: string | null): string {
  if (id === null) return 'nothing was changed; this process is not a run, so act where it was started';
  const kill = `process ${JSON.stringify({ action: 'kill', id })}`;
  if (kind === 'needs-input') {
    return `process ${JSON.stringify({ action: 'submit', id, data: 'ANSWER' })} if it was started with stdin or pty; else ${kill} and start it again with stdin, or with options that avoid the question`;
  }
  return stuckKinds.has(kind) ? `it will not go on by itself: ${kill}` : `not an error: ${waitCall(id)}`;
}
