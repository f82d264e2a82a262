import type { KV, KvEntry } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { Failure } from '../model/failure.js';
import { type AcceptKind, acceptKinds } from './accept.js';
import { type FleetNames, isName } from './names.js';
import { isConflict, openBucket, readBucket } from './storage.js';

/** How often a member renews its key. */
export const renewEveryMs = 10_000;
/** A host whose key is older is away. */
const awayAfterMs = 35_000;
/** A host that has been away this long is forgotten. */
const forgetAfterMs = 7 * 24 * 3600 * 1000;

const recordBytesMax = 64 * 1024;
/** More hosts than this are not read. */
const hostsMax = 10_000;

/** What a member writes about itself. */
export interface HostRecord {
  name: string;
  /** Made when the machine joined: tells two machines with one name apart. */
  id: string;
  version: string;
  labels: string[];
  slots: number;
  accept: AcceptKind[];
  /** Live runs. */
  runs: number;
  /** Jobs of the queue that run here. */
  jobs: number;
  /** It has its name, and answers soon. */
  isJoining?: true;
}

/** A host as the server knows it. */
export interface SeenHost extends HostRecord {
  /** When its key was written last, by the clock of the server. */
  seenAt: string;
  /** Grows whenever its key is written. */
  revision: number;
}

export interface Host extends SeenHost {
  isAway: boolean;
}

/** The bucket is created by the first host. */
export async function openMembers(connection: NatsConnection, names: FleetNames): Promise<KV> {
  return await openBucket(connection, names.members, { ttlMs: forgetAfterMs, valueBytesMax: recordBytesMax });
}

/** Null: not a record of a host. */
export function parseHost(value: unknown): HostRecord | null {
  if (typeof value !== 'object' || value === null) return null;
  const fields = value as Record<keyof HostRecord, unknown>;
  const { name, id, version, labels, slots, accept, runs, jobs, isJoining } = fields;
  if (typeof name !== 'string' || !isName(name) || typeof id !== 'string') return null;
  const count = (given: unknown) => (Number.isSafeInteger(given) ? Math.max(0, given as number) : 0);
  const texts = (given: unknown) =>
    Array.isArray(given)
      ? given.filter((item): item is string => typeof item === 'string' && item.length < 200).slice(0, 100)
      : [];
  return {
    name,
    id,
    version: typeof version === 'string' ? version.slice(0, 40) : 'unknown',
    labels: texts(labels),
    slots: count(slots),
    accept: acceptKinds.filter((kind) => texts(accept).includes(kind)),
    runs: count(runs),
    jobs: count(jobs),
    ...(isJoining === true && { isJoining }),
  };
}

/** All hosts that were seen in the last days, by name. `nowMs`: by the clock of the server. */
export async function readHosts(members: KV, nowMs: number): Promise<Host[]> {
  const hosts: Host[] = [];
  for (const entry of await readBucket(members)) {
    if (entry.operation !== 'PUT') continue;
    const record = parseHost(jsonOf(entry));
    if (record === null || record.name !== entry.key) continue;
    const host = seenHost(record, entry);
    hosts.push({ ...host, isAway: isAway(host, nowMs) });
    if (hosts.length === hostsMax) break;
  }
  return hosts.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Null: there is no such host. */
export async function readHost(members: KV, name: string): Promise<SeenHost | null> {
  return hostOf(await members.get(name));
}

/** When its key was written or taken away last, by the leader. Null: there was none for days. */
export async function lastSign(members: KV, name: string): Promise<{ ms: number; hasLeft: boolean } | null> {
  const entry = await members.get(name);
  return entry === null ? null : { ms: entry.created.getTime(), hasLeft: entry.operation !== 'PUT' };
}

function hostOf(entry: KvEntry | null): SeenHost | null {
  const record = entry?.operation === 'PUT' ? parseHost(jsonOf(entry)) : null;
  return entry === null || record === null ? null : seenHost(record, entry);
}

const writesMax = 5;

/**
 * Writes the key of a host over the revision that it wrote last (0: none), and returns the new one. Throws when another
 * machine has the name: of two that join at once, only one gets it.
 */
export async function writeHost(
  members: KV,
  record: HostRecord,
  revision: number,
  nowMs: number,
): Promise<number> {
  let previousSeq = revision;
  for (let writes = 1; ; writes += 1) {
    try {
      return await members.put(record.name, JSON.stringify(record), { previousSeq });
    } catch (error) {
      if (!isConflict(error) || writes === writesMax) throw error;
      const entry = await members.get(record.name);
      checkAlone(record, hostOf(entry), nowMs);
      previousSeq = entry?.revision ?? 0;
    }
  }
}

/** Takes away the key of this machine, and of no other one that has its name by now. */
export async function removeHost(members: KV, { name, id }: { name: string; id: string }): Promise<void> {
  const host = await readHost(members, name);
  if (host?.id === id) await members.delete(name, { previousSeq: host.revision });
}

/** A second machine with one name would answer for the first. */
export function checkAlone(own: { name: string; id: string }, host: SeenHost | null, nowMs: number): void {
  if (host === null || host.id === own.id || isAway(host, nowMs)) return;
  throw new Failure(
    'bad-input',
    `another machine has joined as ${own.name}, seen at ${host.seenAt}`,
    'use another name: --name NAME',
  );
}

const seenHost = (record: HostRecord, { created, revision }: KvEntry): SeenHost => ({
  ...record,
  seenAt: created.toISOString(),
  revision,
});

/** `nowMs`: by the clock of the server. */
export const isAway = ({ seenAt }: SeenHost, nowMs: number) => nowMs - Date.parse(seenAt) > awayAfterMs;

/** undefined: not JSON. */
export function jsonOf(entry: { json(): unknown }): unknown {
  try {
    return entry.json();
  } catch {
    return undefined;
  }
}
