import { randomUUID } from 'node:crypto';
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { type AcceptKind, acceptKinds } from '../../fleet/accept.js';
import { explained } from '../../fleet/explained.js';
import { checkAlone, openMembers, readHost, removeHost } from '../../fleet/hosts.js';
import { openStorage } from '../../fleet/member/stores.js';
import { checkName } from '../../fleet/names.js';
import { ServerClock } from '../../fleet/server-clock.js';
import {
  type FleetLogin,
  fleetDefault,
  isLabel,
  type Membership,
  membershipReading,
  readMembership,
  removeMembership,
  slotsMax,
  withoutPassword,
  writeMembership,
} from '../../fleet/settings.js';
import { Failure } from '../../model/failure.js';
import { daemonFile } from '../../store/daemon-files.js';
import { privateHome } from '../../store/state-home.js';
import { startedDaemon } from '../client/daemon-status.js';
import { FleetClient } from './fleet-client.js';

/** How a machine joins a fleet. */
export interface JoinRequest {
  url: string;
  /** Name of this machine; its host name if not given. */
  name?: string | undefined;
  fleet?: string | undefined;
  /** What other machines may do here besides reading. */
  accept?: string[] | undefined;
  queues?: string[] | undefined;
  commands?: string[] | undefined;
  /** Jobs of the queue at the same time. */
  slots?: number | undefined;
  labels?: string[] | undefined;
  login?: FleetLogin | undefined;
}

const joinedMsMax = 30_000;
/** Trouble that lasts this long does not go away by itself. */
const troubleMsMax = 10_000;
const pollMs = 100;

/** Makes this machine a member of a fleet, and returns when other machines can see it. Otherwise nothing changes. */
export async function joinFleet(
  request: JoinRequest,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Membership> {
  const home = privateHome(env);
  const before = readMembership(home);
  const membership = membershipOf(request, before);
  const client = await FleetClient.open(membership);
  try {
    const known = await checkServer(client, membership);
    writeMembership(home, membership);
    try {
      await untilSeen(client, membership, known?.revision ?? 0, env);
    } catch (error) {
      if (before === null) removeMembership(home);
      else writeMembership(home, before);
      if (before?.name !== membership.name) await takeAway(client, membership).catch(() => {});
      throw error;
    }
    return membership;
  } catch (error) {
    throw explained(membership, error);
  } finally {
    await client.close();
  }
}

/** Opens all that the daemon will open with this login, so that a refusal is reported here. */
async function checkServer({ connection, names }: FleetClient, membership: Membership) {
  const members = await openMembers(connection, names);
  const known = await readHost(members, membership.name);
  checkAlone(membership, known, (await ServerClock.read(connection, names)).nowMs());
  await openStorage(connection, names);
  return known;
}

/** The key may be one from before: a new one is written at once. A daemon that ends meanwhile is started again. */
async function untilSeen(
  { connection, names }: FleetClient,
  membership: Membership,
  before: number,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const { name, id } = membership;
  const members = await openMembers(connection, names);
  const beganMs = performance.now();
  for (;;) {
    const trouble = await startedDaemon(env).then(
      (status) => status.trouble,
      (error: Error) => error.message,
    );
    const host = await readHost(members, name);
    if (host?.id === id && host.isJoining !== true && host.revision > before) return;
    const tookMs = performance.now() - beganMs;
    if (tookMs > (trouble === null ? joinedMsMax : troubleMsMax)) throw notJoined(membership, trouble);
    await delay(pollMs);
  }
}

/** What `unstuck leave` has done; null: nothing of that. */
interface Left {
  membership: Membership | null;
  /** A file that could not be used, and why. */
  removed: { file: string; reason: string } | null;
}

/** Its runs go on, and are seen on this machine only. */
export async function leaveFleet(env: NodeJS.ProcessEnv = process.env): Promise<Left> {
  const home = privateHome(env);
  const saved = membershipReading(home);
  removeMembership(home);
  if (saved.kind === 'unknown') {
    return { membership: null, removed: { file: daemonFile(home, 'fleet'), reason: saved.reason } };
  }
  if (saved.value !== null) await takeAwayAtOnce(saved.value);
  return { membership: saved.value, removed: null };
}

/** Also where the daemon has no connection. */
async function takeAwayAtOnce(membership: Membership): Promise<void> {
  const client = await FleetClient.open(membership).catch(() => null);
  try {
    if (client !== null) await takeAway(client, membership);
  } catch {
    // The server is away: the key goes when it is too old.
  } finally {
    await client?.close();
  }
}

/** The key of this machine, and of no other one with its name. */
async function takeAway({ connection, names }: FleetClient, membership: Membership): Promise<void> {
  await removeHost(await openMembers(connection, names), membership);
}

function membershipOf(request: JoinRequest, before: Membership | null): Membership {
  const { url, login = {}, fleet = fleetDefault, slots, labels = [], accept = [] } = request;
  const address = withoutPassword({ url, fleet: checkName('fleet', fleet), login });
  const kinds = accept.map(acceptKind);
  const bad = labels.find((label) => !isLabel(label));
  if (bad !== undefined) {
    throw new Failure(
      'bad-input',
      `not a label: ${JSON.stringify(bad)}`,
      'use --label gpu or --label arch=arm64',
    );
  }
  return {
    ...address,
    name: checkName('host', request.name ?? os.hostname().split('.')[0] ?? ''),
    id: before?.id ?? randomUUID(),
    accept: {
      kinds: acceptKinds.filter((kind) => kinds.includes(kind)),
      queues: (request.queues ?? []).map((queue) => checkName('queue', queue)),
      commands: request.commands ?? [],
    },
    slots: Math.min(slotsMax, slots ?? (kinds.includes('start') ? os.availableParallelism() : 0)),
    labels,
  };
}

function acceptKind(word: string): AcceptKind {
  const kind = acceptKinds.find((one) => one === word);
  if (kind !== undefined) return kind;
  throw new Failure(
    'bad-input',
    `--accept takes ${acceptKinds.join(', ')}, not ${JSON.stringify(word)}`,
    'reading is always accepted: leave --accept out',
  );
}

const notJoined = ({ name, url }: Membership, trouble: string | null) =>
  new Failure(
    'no-fleet',
    `the daemon of this machine has not joined ${url} as ${name}: ${trouble ?? `it has taken ${joinedMsMax / 1000} s`}`,
    'see its log: unstuck daemon status',
  );
