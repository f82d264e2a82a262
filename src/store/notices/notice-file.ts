import fs from 'node:fs';
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

const chunkBytes = 1024 * 1024;
const newline = 10;

/**
 * Calls `onLine` with each whole line from an offset on (null: longer than any notice); returns where the last one
 * ends.
 */
export function readLines(fd: number, from: number, onLine: (line: string | null) => void): number {
  const chunk = Buffer.alloc(chunkBytes);
  let at = from;
  let wholeTo = from;
  let begun: Buffer[] = [];
  let begunBytes = 0;
  for (;;) {
    const length = fs.readSync(fd, chunk, 0, chunkBytes, at);
    if (length === 0) return wholeTo;
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0 && end < length; end = chunk.indexOf(newline, start)) {
      begun.push(chunk.subarray(start, end));
      const tooLong = begunBytes + end - start > lineBytesMax;
      onLine(tooLong ? null : Buffer.concat(begun).toString('utf8'));
      begun = [];
      begunBytes = 0;
      start = end + 1;
      wholeTo = at + start;
    }
    begunBytes += length - start;
    // A line that is too long is not kept.
    if (begunBytes <= lineBytesMax) begun.push(Buffer.from(chunk.subarray(start, length)));
    at += length;
  }
}

/** Writes everything or throws. */
export function writeAll(fd: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += fs.writeSync(fd, bytes, done);
}

/** Writes a new file under a temporary name and renames it over the old one; returns it open for appending. */
export function replaceFile(file: string, lines: Iterable<Buffer>): number {
  const temporary = `${file}.tmp`;
  fs.rmSync(temporary, { force: true });
  const fd = fs.openSync(temporary, 'ax+', 0o600);
  try {
    for (const line of lines) writeAll(fd, line);
    fs.renameSync(temporary, file);
    return fd;
  } catch (error) {
    fs.closeSync(fd);
    fs.rmSync(temporary, { force: true });
    throw error;
  }
}
