import { Failure } from '../model/failure.js';

/** Names of hosts, fleets, queues and labels are single tokens of a NATS subject. */
const token = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/;

type Named = 'host' | 'fleet' | 'queue' | 'consumer';

export const isName = (name: string) => token.test(name);

/** The name itself. Throws a Failure when it cannot be part of a subject. */
export function checkName(what: Named, name: string): string {
  if (isName(name)) return name;
  throw new Failure(
    'bad-input',
    `not a name of a ${what}: ${JSON.stringify(name.slice(0, 80))}`,
    'use up to 63 letters, digits, - and _, beginning with a letter or a digit',
  );
}

/** Every name that a fleet uses on the NATS server. */
export interface FleetNames {
  /** Subject of one operation on one host. */
  operation(host: string, name: string): string;
  /** Subject that ends a request early on one host. */
  cancel(host: string): string;
  /** KV bucket: one key per host, written while the host lives. */
  members: string;
  /** KV bucket: one key per job, the truth of the queue. */
  jobs: string;
  /** KV bucket: priority and limit of queues. */
  queues: string;
  /** Work-queue stream: one message per job that waits for a host. */
  queueStream: string;
  queueSubjects: string;
  queueSubject(queue: string, needs: readonly string[]): string;
  /** Published when a job was added, so that free hosts ask at once. */
  nudge: string;
  /** Stream of ends, health changes and notices. */
  eventStream: string;
  eventSubjects: string;
  eventSubject(host: string, kind: string): string;
  /** Every stream, buckets too. */
  streams: readonly string[];
}

/** A job without needs. */
const noNeeds = '-';

export function fleetNames(fleet: string): FleetNames {
  const buckets = {
    members: `unstuck_${fleet}_members`,
    jobs: `unstuck_${fleet}_jobs`,
    queues: `unstuck_${fleet}_queues`,
  };
  const streams = { queueStream: `unstuck_${fleet}_queue`, eventStream: `unstuck_${fleet}_events` };
  return {
    ...buckets,
    ...streams,
    operation: (host, name) => `unstuck.${fleet}.${host}.${name}`,
    cancel: (host) => `unstuck.${fleet}.${host}.cancel`,
    queueSubjects: `unstuck-queue.${fleet}.>`,
    queueSubject: (queue, needs) =>
      `unstuck-queue.${fleet}.${queue}.${needs.length === 0 ? noNeeds : needs.toSorted().join('+')}`,
    nudge: `unstuck-nudge.${fleet}`,
    eventSubjects: `unstuck-events.${fleet}.>`,
    eventSubject: (host, kind) => `unstuck-events.${fleet}.${host}.${kind}`,
    streams: [...Object.values(buckets).map((name) => `KV_${name}`), ...Object.values(streams)],
  };
}

/** The queue and the needed labels of a queue subject; null: not one. Any machine may publish any subject. */
export function parseQueueSubject(subject: string): { queue: string; needs: string[] } | null {
  const [, , queue, needs, ...rest] = subject.split('.');
  if (queue === undefined || !isName(queue) || needs === undefined || rest.length > 0) return null;
  return { queue, needs: needs === noNeeds ? [] : needs.split('+') };
}

/** `HOST/ID` as a user types it; null: a run of this machine. */
export function parseHandle(handle: string): { host: string; id: string } | null {
  const slash = handle.indexOf('/');
  if (slash <= 0) return null;
  const host = handle.slice(0, slash);
  return isName(host) ? { host, id: handle.slice(slash + 1) } : null;
}
