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
const unreadableMs = 10_000;
/** Longer than a host waits for the next message, so that it sees those behind it. */
const refusedMs = 2000;
const subjectsMax = 1000;

/** Subjects with messages that this host may take, those of one priority together, the highest first. */
export async function waitingSubjects(context: MemberContext, { jobs, queues }: Stores): Promise<string[][]> {
  const { names, membership } = context;
  const info = await jobs.manager.streams.info(names.queueStream, { subjects_filter: names.queueSubjects });
  const byPriority = new Map<number, string[]>();
  for (const subject of Object.keys(info.state.subjects ?? {}).slice(0, subjectsMax)) {
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
  /** None waits, or the queue is full. */
  | { kind: 'none' };

/** The next job of a subject, claimed for this host if it can be. */
export async function takeJob(context: MemberContext, stores: Stores, subject: string): Promise<Taken> {
  const { consumers } = stores;
  const opening = consumers.get(subject) ?? openConsumer(context, stores, subject);
  consumers.set(subject, opening);
  try {
    const message = await (await opening).next({ expires: nextMs });
    if (message !== null) return await claim(context, stores, message);
    consumers.delete(subject);
    return { kind: 'none' };
  } catch (error) {
    consumers.delete(subject);
    throw error;
  }
}

async function claim({ membership, clock }: MemberContext, stores: Stores, message: JsMsg): Promise<Taken> {
  const waiting = await readWaiting(stores, message);
  // Cancelled, or delivered again after its claim.
  if (waiting !== null && waiting.state.is !== 'queued') message.ack();
  if (waiting === null || waiting.state.is !== 'queued') return { kind: 'skipped' };
  // The subject of a message and the record of its job may have been written by different machines.
  if (!mayTake(membership, waiting)) {
    message.term();
    return { kind: 'skipped' };
  }
  // The rest of the fleet may accept its command.
  if (!isCommandAllowed(membership.accept, orderOf(waiting))) {
    message.nak(refusedMs);
    return { kind: 'skipped' };
  }
  const at = clock.now();
  if (!(await isReserved(stores, waiting, at))) {
    message.nak(fullMs);
    return { kind: 'none' };
  }
  const { name: host, id: machine } = membership;
  const { job, changed } = await stores.jobs.change(waiting.id, { kind: 'claimed', host, machine, at });
  message.ack();
  return changed ? { kind: 'job', job } : { kind: 'skipped' };
}

const orderOf = ({ command, env, options }: Job) => ({ command, env, options });

/** null: the message is of no use to this host. */
async function readWaiting({ jobs }: Stores, message: JsMsg): Promise<Job | null> {
  try {
    return await jobs.read(message.string());
  } catch (error) {
    const { code } = error as { code?: unknown };
    // Without its record a message is worthless. A server before 2.10 ignores a `term` with a reason.
    if (code === 'no-such-job') message.term();
    // A host of another version may be able to read it.
    else if (code === 'unsupported') message.nak(unreadableMs);
    else throw error;
    return null;
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
