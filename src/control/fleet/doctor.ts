import type { Host } from '../../fleet/hosts.js';
import { isOver, type Job } from '../../fleet/queue/job.js';
import { JobStore } from '../../fleet/queue/job-store.js';
import { available, type Capability } from '../../model/facts/capability.js';
import { Failure } from '../../model/failure.js';
import { printable } from '../../text/printable.js';
import type { CallOptions } from '../client/call-options.js';
import type { DoctorReport } from '../doctor.js';
import { type FleetClient, withFleet } from './fleet-client.js';

/** What works in the fleet, and what does not. */
export interface FleetDoctorReport {
  fleet: string;
  server: string;
  capabilities: Capability[];
  complete: boolean;
  summary: string;
}

const hostMsMax = 20_000;
const jobsShown = 5;

/** `unstuck doctor --fleet` as a function: asks the server and every host. Nothing is changed. */
export async function fleetDoctor(options: CallOptions = {}): Promise<FleetDoctorReport> {
  return await withFleet(options, async (client) => {
    const hosts = await client.hosts();
    const [copies, jobs, ...rows] = await Promise.all([
      copiesRow(client),
      jobsRow(client, hosts),
      ...hosts.map((host) => hostRow(client, host, options)),
    ]);
    const capabilities = [serverRow(client), copies, jobs, hostsRow(hosts), ...rows];
    const missing = capabilities.filter(({ status }) => status !== 'yes');
    return {
      fleet: client.address.fleet,
      server: client.address.url,
      capabilities,
      complete: missing.length === 0,
      summary:
        missing.length === 0
          ? 'The fleet works: the server and every host answer.'
          : `To look at: ${missing.map(({ name }) => name).join(', ')}.`,
    };
  });
}

function serverRow({ connection, address }: FleetClient): Capability {
  const { version = 'unknown', server_name: name = '' } = connection.info ?? {};
  const finding = `nats-server ${version} ${name}`.trim();
  const isSafe = /^(tls|wss):/.test(address.url) || connection.info?.tls_required === true;
  const isLocal = address.url.split(',').every((url) => /^\w+:\/\/(127\.|localhost|\[::1\])/.test(url));
  if (isSafe || isLocal) return available('server', finding);
  const costs = 'commands, output and logins travel unencrypted';
  return {
    name: 'server',
    status: 'partly',
    finding: `${finding}, without TLS`,
    costs,
    fix: 'join tls://SERVER',
  };
}

/** How many servers keep what the fleet knows. */
async function copiesRow({ connection, names }: FleetClient): Promise<Capability> {
  const { jetstreamManager } = await import('../../fleet/nats.js');
  const manager = await jetstreamManager(connection);
  const counts: number[] = [];
  for (const name of names.streams) {
    const info = await manager.streams.info(name).catch(() => null);
    if (info !== null) counts.push(info.config.num_replicas);
  }
  const least = Math.min(...counts);
  const finding = counts.length === 0 ? 'nothing yet' : `kept by ${least} of the servers`;
  if (connection.info?.cluster === undefined || counts.length === 0 || least >= 3)
    return available('copies', finding);
  const costs = 'the queue stands still while that server is away';
  return {
    name: 'copies',
    status: 'partly',
    finding,
    costs,
    fix: 'restart a member when all servers are there',
  };
}

function hostsRow(hosts: readonly Host[]): Capability {
  const versions = [...new Set(hosts.map(({ version }) => version))];
  const finding = `${hosts.length} joined, ${hosts.filter(({ isAway }) => isAway).length} away`;
  if (versions.length <= 1) return available('hosts', finding);
  const costs = 'a newer machine may be refused by an older one';
  const shown = versions.map(printable).join(', ');
  return {
    name: 'hosts',
    status: 'partly',
    finding: `${finding}, versions ${shown}`,
    costs,
    fix: 'install the same version',
  };
}

/** Jobs that wait for a host that is not there. */
async function jobsRow({ connection, names }: FleetClient, hosts: readonly Host[]): Promise<Capability> {
  const jobs = (await (await JobStore.open(connection, names)).all()).filter((job) => !isOver(job));
  const stranded = jobs.filter(
    (job) => job.state.is === 'queued' && !hosts.some((host) => mayFit(host, job)),
  );
  if (stranded.length === 0) return available('queue', `${jobs.length} jobs waiting or running`);
  const shown = stranded
    .slice(0, jobsShown)
    .map(({ id, needs }) => `${id} (${needs.join(', ') || 'any host'})`);
  return {
    name: 'queue',
    status: 'no',
    finding: `${stranded.length} jobs that no host can take: ${shown.join('; ')}`,
    costs: 'they wait until such a host joins',
    fix: 'join a host with --accept start, --slots and the needed --label, or unstuck queue cancel JOB',
  };
}

const mayFit = ({ isAway, slots, accept, labels }: Host, { needs }: Job) =>
  !isAway && slots > 0 && accept.includes('start') && needs.every((need) => labels.includes(need));

/** What Unstuck can see there, by its own doctor. */
async function hostRow(client: FleetClient, host: Host, options: CallOptions): Promise<Capability> {
  const { name } = host;
  const bad = (finding: string): Capability => ({
    name,
    status: 'no',
    finding: printable(finding),
    costs: 'its runs are not seen, and it takes no jobs',
    fix: `see why on ${name}: unstuck daemon status`,
  });
  if (host.isAway) return bad(`not seen since ${host.seenAt}`);
  const beganMs = performance.now();
  try {
    const answer = await client.ask(name, 'doctor', {}, { ...options, longestMs: hostMsMax });
    const { complete, summary } = answer as Pick<DoctorReport, 'complete' | 'summary'>;
    const tookMs = Math.round(performance.now() - beganMs);
    const finding = printable(`answers in ${tookMs} ms; ${summary.slice(0, 300)}`);
    if (complete) return available(name, finding);
    return {
      name,
      status: 'partly',
      finding,
      costs: 'verdicts there are less certain',
      fix: `unstuck doctor, on ${name}`,
    };
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof Failure && error.code === 'busy') return busyRow(name, error.message);
    return bad((error as Error).message);
  }
}

const busyRow = (name: string, finding: string): Capability => ({
  name,
  status: 'partly',
  finding: printable(finding),
  costs: 'its runs may be missing in lists',
  fix: 'try again in a moment: unstuck doctor --fleet',
});
