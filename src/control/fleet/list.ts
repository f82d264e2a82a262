import { setMaxListeners } from 'node:events';
import type { Host } from '../../fleet/hosts.js';
import { Failure } from '../../model/failure.js';
import type { FleetHost, FleetList, FleetRun } from '../../model/fleet.js';
import type { ListInput } from '../../model/operations/inputs.js';
import type { ListOutput } from '../../model/operations/outputs.js';
import type { CallOptions } from '../client/call-options.js';
import { type FleetClient, noHost, withFleet } from './fleet-client.js';

/** Hosts that answer late one after the other must not hold up the list of all. */
const listMsMax = 15_000;
/** Nor one that only says that it works: it is not waited for when no other host has answered for so long. */
const lullMsMax = 5000;

export type { FleetHost, FleetList, FleetRun };

/** The runs of all hosts. A host that does not answer is listed with the reason. */
export async function listFleet(
  input: ListInput,
  options: CallOptions & { host?: string } = {},
): Promise<FleetList> {
  return await withFleet(options, async (client) => {
    const known = await client.hosts();
    const hosts = known.filter(({ name }) => options.host === undefined || name === options.host);
    if (hosts.length === 0 && options.host !== undefined)
      throw noHost(options.host, client.address.fleet, known);
    const lists = await untilLull((answered, lull) =>
      hosts.map((host) => listOne(client, host, input, options, lull).finally(answered)),
    );
    options.signal?.throwIfAborted();
    return { hosts: lists.map(({ host }) => host), runs: lists.flatMap(({ runs }) => runs) };
  });
}

/** `lull` is aborted when no call has `answered` for some time. */
async function untilLull<T>(begin: (answered: () => void, lull: AbortSignal) => Promise<T>[]): Promise<T[]> {
  const lull = new AbortController();
  // Each host listens to it.
  setMaxListeners(0, lull.signal);
  const timer = setTimeout(() => lull.abort(), lullMsMax);
  try {
    return await Promise.all(begin(() => timer.refresh(), lull.signal));
  } finally {
    clearTimeout(timer);
  }
}

/** Rejects only when the caller has ended it. */
async function listOne(
  client: FleetClient,
  host: Host,
  input: ListInput,
  options: CallOptions,
  lull: AbortSignal,
): Promise<{ host: FleetHost; runs: FleetRun[] }> {
  if (host.isAway) return { host: shown(host, `not seen since ${host.seenAt}`), runs: [] };
  const signal = options.signal == null ? lull : AbortSignal.any([options.signal, lull]);
  try {
    const asked = { ...options, signal, longestMs: listMsMax };
    const { runs } = (await client.ask(host.name, 'list', input, asked)) as ListOutput;
    const own = runs.map((run) => ({ ...run, host: host.name, id: `${host.name}/${run.id}` }));
    return { host: { ...shown(host), runs: liveOf(runs) }, runs: own };
  } catch (error) {
    options.signal?.throwIfAborted();
    const reason = lull.aborted
      ? { busy: `${host.name} has not answered within ${lullMsMax / 1000} s` }
      : reasonOf(error);
    return { host: { ...shown(host), ...reason }, runs: [] };
  }
}

/** A host that says that it is busy is there. */
function reasonOf(error: unknown): Pick<FleetHost, 'away' | 'busy'> {
  const { message } = error as Error;
  return error instanceof Failure && error.code === 'busy' ? { busy: message } : { away: message };
}

const liveOf = (runs: ListOutput['runs']) => runs.filter(({ status }) => status === 'running').length;

function shown({ name, seenAt, runs, jobs, slots, labels, accept, version }: Host, away?: string): FleetHost {
  const host = { name, seen: seenAt, runs, jobs, slots, labels, accept, version };
  return away === undefined ? host : { ...host, away };
}

/** The machines of the fleet; no run is asked for. */
export async function listHosts(options: CallOptions = {}): Promise<FleetHost[]> {
  return await withFleet(options, async (client) =>
    (await client.hosts()).map((host) =>
      shown(host, host.isAway ? `not seen since ${host.seenAt}` : undefined),
    ),
  );
}
