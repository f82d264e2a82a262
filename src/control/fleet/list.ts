import type { Host } from '../../fleet/hosts.js';
import type { FleetHost, FleetList, FleetRun } from '../../model/fleet.js';
import type { ListInput } from '../../model/operations/inputs.js';
import type { ListOutput } from '../../model/operations/outputs.js';
import type { CallOptions } from '../client/call-options.js';
import { noHost, withFleet } from './fleet-client.js';

/** One host that is slow must not hold up the list of all. */
const listMsMax = 15_000;

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
    const lists = await Promise.all(
      hosts.map(async (host) => {
        if (host.isAway) return { host: shown(host, `not seen since ${host.seenAt}`), runs: [] };
        try {
          const { runs } = (await client.ask(host.name, 'list', input, {
            ...options,
            longestMs: listMsMax,
          })) as ListOutput;
          const own = runs.map((run) => ({ ...run, host: host.name, id: `${host.name}/${run.id}` }));
          return { host: { ...shown(host), runs: liveOf(runs) }, runs: own };
        } catch (error) {
          options.signal?.throwIfAborted();
          return { host: shown(host, (error as Error).message), runs: [] };
        }
      }),
    );
    return { hosts: lists.map(({ host }) => host), runs: lists.flatMap(({ runs }) => runs) };
  });
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
