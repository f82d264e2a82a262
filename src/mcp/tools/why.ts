import * as z from 'zod/mini';
import { background } from '../../control/background.js';
import { operations } from '../../control/operations/table.js';
import { why as lookAt } from '../../control/why.js';
import { agentWaitWords } from '../../model/agent.js';
import { formatDuration } from '../../model/duration.js';
import { Failure } from '../../model/failure.js';
import { stuckKinds, type WhyAnswer } from '../../model/verdict.js';
import { kindWords } from '../../model/verdict-words.js';
import type { Told } from '../answer.js';
import { type ToolContext, tool } from '../tool.js';
import { waitCall } from '../words.js';

const evidenceMax = 6;
const chainMax = 8;
const commandChars = 100;
const partsMax = 5;

export const why = tool({
  name: 'why',
  title: 'What is it waiting for?',
  description: `Look into the kernel and say what a run, or any process of this user, is doing or waiting for, and why: working, waiting for input, a lock, the network or a timer, deadlocked, stopped … with evidence. Takes a tenth of a second and changes nothing. Use it when something takes longer than it should, before you kill or retry it. Good calls: {"id": "run_1a2b3c4d5e6f"}; {"pid": 4371}.`,
  annotations: { readOnlyHint: true },
  input: z.strictObject({
    id: z.optional(operations.wait.input.shape.id),
    pid: z.optional(z.number().check(z.int(), z.minimum(1))),
    all: z.optional(z.boolean()),
  }),
  fields: {
    id: 'A run: its id, or the first 4 characters of it',
    pid: 'Any process instead of a run',
    all: 'Also runs of other clients',
  },
  handle: async ({ id, pid, all }, context): Promise<Told> => {
    if ((id === undefined) === (pid === undefined)) {
      throw new Failure('bad-input', 'why: one of id and pid must be given', 'list your runs: process list');
    }
    const run = id === undefined ? null : await runningOne(id, all, context);
    const answer = await lookAt(run?.pid ?? pid ?? 0, { signal: context.signal });
    const waiting = run?.agent === undefined ? null : agentWaitWords(run.agent);
    const evidence = [...(waiting === null ? [] : [waiting]), ...answer.verdict.evidence];
    return told({ ...answer, verdict: { ...answer.verdict, evidence } }, run?.id ?? null);
  },
});

/** The number of a process that has ended may be somebody else's by now. */
async function runningOne(id: string, all: boolean | undefined, { session, signal }: ToolContext) {
  const found = await background.inspect({ id, ...session.scope(all) }, { signal });
  const { agent, pid } = found;
  if (found.status === 'running' && pid !== null)
    return { id: found.id, pid, ...(agent !== undefined && { agent }) };
  throw new Failure('run-ended', `${found.id} does not run any more`, `its output: process log ${found.id}`);
}

function told({ target, verdict, chain, findings, absent, stillMs }: WhyAnswer, id: string | null): Told {
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
    data: {
      ...(id !== null && { id }),
      target: { pid: target.pid, command: target.command.slice(0, commandChars) },
      verdict: { kind, certainty, pid: verdict.pid, reason, evidence: lines },
      chain: links,
      ...(parts.length > 0 && { findings: parts }),
      ...(absent.length > 0 && { absent: absent.map(({ fact, why }) => `${fact}: ${why}`).slice(0, 3) }),
    },
    text: [
      `${kindWords[kind]}, ${certainty}: ${reason}.${still}`,
      ...links.map(
        ({ pid, command, waitsFor }) => `  ${command} (${pid})${waitsFor ? ` waits for ${waitsFor}` : ''}`,
      ),
      ...lines.map((line) => `- ${line}`),
      ...parts.map(
        (part) =>
          `A part of it is stuck, ${part.certainty}: ${part.reason}. To stop only that part: kill ${part.root}`,
      ),
    ].join('\n'),
    next: nextStep(kind, id),
  };
}

function nextStep(kind: WhyAnswer['verdict']['kind'], id: string | null): string {
  if (id === null) return 'nothing was changed; it is for whoever started it to act';
  const kill = `process ${JSON.stringify({ action: 'kill', id })}`;
  if (kind === 'needs-input') {
    return `process ${JSON.stringify({ action: 'submit', id, data: 'ANSWER' })} if it was started with stdin or pty; else ${kill} and start it so that it need not ask`;
  }
  return stuckKinds.has(kind)
    ? `it will not go on by itself: ${kill}`
    : `no fault by itself: ${waitCall(id)}`;
}
