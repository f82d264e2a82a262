import * as z from 'zod/mini';
import { noticeEvents } from '../model/notice.js';
import { inputKinds } from '../model/run/background.js';
import { leaseEnds } from '../model/run/lease.js';
import { restartModes } from '../model/run/restart-record.js';
import type { RunRecord } from '../model/run/run.js';
import { runIdPattern } from '../model/run/run-id.js';

const text = z.string().check(z.maxLength(1024 * 1024));
const whole = z.int().check(z.nonnegative());

const identity = z.object({ bootId: text, pid: whole, startTicks: whole });

const wishes = z.object({
  events: z.array(z.enum(noticeEvents)),
  patterns: z.array(z.string().check(z.maxLength(1000))).check(z.maxLength(32)),
  everyMs: whole,
  command: z.nullable(text),
  webhook: z.nullable(z.object({ url: text, secretFile: z.nullable(text) })),
});

const lease = z.object({
  owner: identity,
  whenGone: z.enum(leaseEnds),
  delayMs: whole,
  handOver: z.optional(z.object({ from: text, to: z.nullable(text) })),
});

const restart = z.object({
  on: z.enum(restartModes),
  max: whole,
  delayMs: whole,
  chain: z.string().check(z.regex(runIdPattern)),
  attempt: whole,
  failures: whole,
});

const record = z.object({
  version: z.literal(1),
  id: z.string().check(z.regex(runIdPattern)),
  label: text,
  command: text,
  cwd: text,
  startedAt: z.string().check(z.refine((time) => !Number.isNaN(Date.parse(time)))),
  identity: z.nullable(identity),
  supervisor: z.nullable(identity),
  // A name that leads out of the directory is refused.
  logs: z
    .array(
      z.object({
        file: z.string().check(z.regex(/^[a-z]+\.log$/)),
        stream: z.enum(['stdout', 'stderr', 'both']),
        start: whole,
      }),
    )
    .check(z.maxLength(2)),
  history: z.optional(z.object({ isKept: z.boolean(), key: z.nullable(text) })),
  background: z.nullable(
    z.object({
      owner: z.nullable(text),
      task: z.nullable(text),
      tags: z.array(text),
      input: z.enum(inputKinds),
      options: z.record(z.string(), z.unknown()),
      // Runs of older versions have neither.
      notify: z._default(z.nullable(wishes), null),
      lease: z._default(z.nullable(lease), null),
      restart: z.optional(restart),
      on: z.optional(z.object({ place: text, env: z.record(z.string(), text) })),
    }),
  ),
  tracked: z.optional(z.literal(true)),
});

/** Checks an untrusted run.json; a string instead: what is wrong with it. */
export function readRecord(content: unknown): RunRecord | string {
  if (content === null) return 'run.json is missing or is not JSON';
  const result = record.safeParse(content);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  return `run.json: ${issue?.path.join('.') || 'content'} is not valid`;
}
