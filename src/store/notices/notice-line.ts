import * as z from 'zod/mini';
import { type Notice, noticeKinds } from '../../model/notice.js';
import { healths } from '../../model/run/health.js';
import { lossCauses } from '../../model/run/output-lost.js';
import { provenances, stops } from '../../model/run/run.js';

/** Longer than any notice with all its tags and every character escaped. */
export const lineBytesMax = 256 * 1024;

/** Far above any real number, and small enough that the next ones are exact. */
const seqMax = 1e12;

const text = z.string().check(z.maxLength(lineBytesMax));
const count = z.int().check(z.nonnegative());
const seq = z.int().check(z.positive(), z.maximum(seqMax));
const time = z.string().check(z.refine((at) => !Number.isNaN(Date.parse(at))));

const notice = z.object({
  seq,
  at: time,
  key: text,
  kind: z.enum(noticeKinds),
  runId: z.nullable(text),
  label: z.nullable(text),
  task: z.nullable(text),
  owner: z.nullable(text),
  tags: z.array(text),
  text,
  output: text,
  suppressed: count,
  matches: z.optional(count),
  pattern: z.optional(text),
  offset: z.optional(count),
  exit: z.optional(
    z.object({
      code: z.nullable(z.int()),
      signal: z.nullable(text),
      provenance: z.enum(provenances),
      stopped: z.optional(z.enum(stops)),
    }),
  ),
  outputLost: z.optional(z.object({ cause: z.enum(lossCauses), message: text })),
  health: z.optional(z.enum(healths)),
});

/** The first line of a rewritten file: the next number to give. */
const head = z.strictObject({ next: seq });

/** Parses an untrusted line; null: not a notice. */
export function parseNoticeLine(line: string): Notice | { next: number } | null {
  try {
    const content: unknown = JSON.parse(line);
    const isHead = typeof content === 'object' && content !== null && 'next' in content;
    const result = (isHead ? head : notice).safeParse(content);
    return result.success ? result.data : null;
  } catch {
    return null;
  }
}

export function printNoticeLine(line: Notice | { next: number }): Buffer {
  return Buffer.from(`${JSON.stringify(line)}\n`);
}

export interface NoticeFilter {
  runId?: string | undefined;
  task?: string | undefined;
  owner?: string | undefined;
  tag?: string | undefined;
}

export function passes(notice: Notice, { runId, task, owner, tag }: NoticeFilter): boolean {
  return (
    (runId === undefined || notice.runId === runId) &&
    (task === undefined || notice.task === task) &&
    (owner === undefined || notice.owner === owner) &&
    (tag === undefined || notice.tags.includes(tag))
  );
}
