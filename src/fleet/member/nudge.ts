import { isJobId } from '../queue/parse-job.js';

/** Published to all hosts. Whatever it says, a host acts on the records of the jobs only. */
export type Nudge =
  /** A job was added, or a slot of a limited queue is free. */
  | { kind: 'added' }
  /** A job was cancelled. */
  | { kind: 'cancel'; ids: string[] }
  /** These jobs run on this host, as their records say. */
  | { kind: 'running'; host: string; ids: string[] };

export const nudgeIdsMax = 200;

/** Anything that is not another nudge is the first kind. */
export function parseNudge(content: unknown): Nudge {
  const { cancel, host, running } = (content ?? {}) as Record<string, unknown>;
  if (isJobId(cancel)) return { kind: 'cancel', ids: [cancel] };
  if (typeof host !== 'string' || !Array.isArray(running)) return { kind: 'added' };
  return { kind: 'running', host, ids: running.slice(0, nudgeIdsMax).filter(isJobId) };
}
