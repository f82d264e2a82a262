import { parseHandle } from '../../fleet/names.js';
import { Failure } from '../../model/failure.js';
import type { WhyAnswer } from '../../model/verdict.js';
import { printable } from '../../text/printable.js';
import type { CallOptions } from '../client/call-options.js';
import { withFleet } from './fleet-client.js';
import { hasFleet } from './fleet-of.js';

/** A host that only says that it works is not waited for any longer. */
const whyMsMax = 60_000;

/** What a run or a process of another machine waits for: `HOST/ID`, `HOST/PID`; null: not of the fleet. */
export async function whyOnHost(handle: string, options: CallOptions = {}): Promise<WhyAnswer | null> {
  const parsed = parseHandle(handle);
  if (parsed === null || !hasFleet(options.env ?? process.env)) return null;
  const { host, id } = parsed;
  const input = /^\d{1,7}$/.test(id) ? { pid: Number(id) } : { id };
  const answer = await withFleet(options, (client) =>
    client.ask(host, 'why', input, { ...options, longestMs: whyMsMax }),
  );
  const { verdict, ...rest } = checkWhy(host, safe(answer));
  return { ...rest, verdict: { ...verdict, next: verdict.next.map((step) => nextStep(step, host, input)) } };
}

/** A pid means nothing on this machine. */
function nextStep(step: string, host: string, target: { id?: string }): string {
  if (target.id === undefined) return `on ${host}: ${step}`;
  return step.replace(/: kill \d+$/, `: unstuck kill ${host}/${target.id}`);
}

/** Every text of another machine without control sequences. */
function safe(value: unknown): unknown {
  if (typeof value === 'string') return printable(value);
  if (Array.isArray(value)) return value.map(safe);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, safe(field)]));
}

/** The parts that every answer has; another version may have more. */
function checkWhy(host: string, value: unknown): WhyAnswer {
  const { verdict, target, ...lists } = (value ?? {}) as Record<string, unknown>;
  const { kind, certainty, reason, next, evidence } = (verdict ?? {}) as Record<string, unknown>;
  const texts = [kind, certainty, reason, (target as { command?: unknown } | undefined)?.command];
  const arrays = [next, evidence, lists.chain, lists.findings, lists.processes, lists.absent];
  if (texts.every((text) => typeof text === 'string') && arrays.every(Array.isArray))
    return value as WhyAnswer;
  throw new Failure(
    'host-away',
    `the answer of ${host} cannot be used: it is not what Unstuck answers`,
    `install the same version of Unstuck here and on ${host}`,
  );
}
