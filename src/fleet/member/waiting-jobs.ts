import { createHash } from 'node:crypto';
import type { Consumer, JsMsg } from '@nats-io/jetstream';
import { isCommandAllowed, mayTake } from '../accept.js';
import { parseQueueSubject } from '../names.js';
import type { Job } from '../queue/job.js';
import { isFull, reservationKey } from '../queue/queue-record.js';
import type { MemberContext } from './member-context.js';
import type { Stores } from './stores.js';

const ackWaitMs = 30_000;
const nextMs = 1000;
/** A queue that was full is asked again. */
const fullMs = 2000;
/** Clearly shorter than a host waits for the next message, so that another one that waits gets it. */
const refusedMsMin = 300;
const refusedMsMax = 30_000;
const subjectsMax = 1000;

/** How long a message stays away that no host wanted so often: those behind it must come before it comes again. */
export const refusedMs = (deliveries: number) => Math.min(refusedMsMin * 2 ** (deliveries - 1), refusedMsMax);

/** Subjects with messages that this host may take, those of one priority together, the highest first. */
export async function waitingSubjects(context: MemberContext, stores: Stores): Promise<string[][]> {
  const { names, membership } = context;
  const { jobs, queues, lookedAt } = stores;
  const info = await jobs.manager.streams.info(names.queueStream, { subjects_filter: names.queueSubjects });
  const waiting = info.state.subjects ?? {};
  for (const subject of lookedAt.keys()) if (!(subject in waiting)) lookedAt.delete(subject);
  const byPriority = new Map<number, string[]>();
  for (const subject of Object.keys(waiting).slice(0, subjectsMax)) {
    const parsed = parseQueueSubject(subject);
    if (parsed === null || !mayTake(membership, parsed)) continue;
    const record = await queues.read(parsed.queue);
    if (isFull(record)) continue;
    byPriority.set(record.priority, [...(byPriority.get(record.priority) ?? []), subject]);
  }
  return [...byPriority].sort(([a], [b]) => b - a).map(([, subjects]) => subjects);
}

/** What came of asking for the next job of a subject. */
export type Taken =
  | { kind: 'job'; job: Job }
  /** Its message was of no use; the next one may be. */
  | { kind: 'skipped' }
  /** Its message was left for other hosts; it comes again. */
  | { kind: 'refused' }
  /** None waits, or the queue is full. */
  | { kind: 'none' };

/** The next job of a subject, claimed for this host if it can be. */
export async function takeJob(context: MemberContext, stores: Stores, subject: string): Promise<Taken> {
  const { consumers } = stores;
  const opening = consumers.get(subject) ?? openConsumer(context, stores, subject);
  consumers.set(subject, opening);
  try {
    const message = await (await opening).next({ expires: nextMs });
    if (message !== null) return await receive(context, stores, message);
    consumers.delete(subject);
    return { kind: 'none' };
  } catch (error) {
    consumers.delete(subject);
    throw error;
  }
}

async function receive(context: MemberContext, stores: Stores, message: JsMsg): Promise<Taken> {
  const waiting = await readFor(context, stores, message.string());
  if (waiting === 'refused') {
    message.nak(refusedMs(message.info.deliveryCount));
    return { kind: 'refused' };
  }
  // A server before 2.10 ignores a `term` with a reason.
  if (waiting === 'useless') message.term();
  if (waiting === 'over') message.ack();
  if (typeof waiting === 'string') return { kind: 'skipped' };
  const taken = await claim(context, stores, waiting);
  if (taken.kind === 'none') message.nak(fullMs);
  else message.ack();
  return taken;
}

/**
 * The job of the next message of a subject that this host has not looked at, claimed if it can be. A message that other
 * hosts refused is not delivered for some time, and the server hands out no others while 1000 are refused: it is read where
 * it is. The record says whether the job waits, and the message goes when it is delivered the next time. An order does not
 * change, so a host looks at a message once.
 */
export async function takeUndelivered(
  context: MemberContext,
  stores: Stores,
  subject: string,
): Promise<Taken> {
  const { jobs, lookedAt } = stores;
  const message = await jobs.messageFrom(subject, (lookedAt.get(subject) ?? 0) + 1);
  if (message === null) return { kind: 'none' };
  const waiting = await readFor(context, stores, message.id);
  const taken: Taken =
    typeof waiting === 'string' ? { kind: 'skipped' } : await claim(context, stores, waiting);
  // A queue that is full now is looked at again.
  if (taken.kind !== 'none') lookedAt.set(subject, message.seq);
  return taken;
}

async function claim({ membership, clock }: MemberContext, stores: Stores, waiting: Job): Promise<Taken> {
  const at = clock.now();
  if (!(await isReserved(stores, waiting, at))) return { kind: 'none' };
  const { name: host, id: machine } = membership;
  const { job, changed } = await stores.jobs.change(waiting.id, { kind: 'claimed', host, machine, at });
  return changed ? { kind: 'job', job } : { kind: 'skipped' };
}

/** The job of a message if this host may have it, or what is to become of the message. */
async function readFor(
  { membership }: MemberContext,
  { jobs }: Stores,
  id: string,
): Promise<Job | 'useless' | 'over' | 'refused'> {
  try {
    const job = await jobs.read(id);
    // Cancelled, or its message came again after its claim.
    if (job.state.is !== 'queued') return 'over';
    // The subject of a message and the record of its job may have been written by different machines.
    if (!mayTake(membership, job)) return 'useless';
    // The rest of the fleet may accept its command.
    const { command, env, options } = job;
    return isCommandAllowed(membership.accept, { command, env, options }) ? job : 'refused';
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'no-such-job') return 'useless';
    // A host of another version may be able to read it.
    if (code === 'unsupported') return 'refused';
    throw error;
  }
}

/** false: the queue has a limit, and it is reached. */
async function isReserved({ queues }: Stores, job: Job, at: string): Promise<boolean> {
  if ((await queues.read(job.queue)).limit === null) return true;
  const key = reservationKey(job);
  const { record } = await queues.change(job.queue, { kind: 'reserved', key, at });
  return record.running.some((one) => one.key === key);
}

/** One consumer per subject, shared by all hosts. */
async function openConsumer({ names }: MemberContext, { jobs }: Stores, subject: string): Promise<Consumer> {
  const { AckPolicy } = await import('../nats.js');
  const name = `take_${createHash('sha256').update(subject).digest('hex').slice(0, 32)}`;
  await jobs.manager.consumers.add(names.queueStream, {
    durable_name: name,
    filter_subject: subject,
    ack_policy: AckPolicy.Explicit,
    ack_wait: ackWaitMs * 1_000_000,
  });
  return await jobs.js.consumers.get(names.queueStream, name);
}
