import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { listFleet } from '../../src/control/fleet/list.js';
import { connectFleet } from '../../src/fleet/connect.js';
import type { LocalRuns } from '../../src/fleet/member/local-runs.js';
import { FleetMember } from '../../src/fleet/member/member.js';
import type { Membership } from '../../src/fleet/settings.js';
import { NatsServers } from './nats.js';

const runsPerHost = 100;
const idleMs = 30_000;
const rounds = 5;
/** Members that join at the same time. */
const joiningMax = 20;

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Members in a process of their own, so that their cost is not the viewer's. */
export async function playScale(scratch: string, count: number): Promise<boolean> {
  const nats = await NatsServers.begin(join(scratch, 'nats'));
  const argv = [process.argv[1] ?? '', '--members', String(count), '--url', nats.url];
  const members = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    let said = '';
    members.stdout.on('data', (data: Buffer) => {
      said += data.toString();
    });
    while (!said.includes('idle')) {
      await Promise.race([once(members.stdout, 'data'), once(members, 'exit')]);
      if (members.exitCode !== null) throw new Error('the members ended');
    }
    const serverIdle = (await serverCpuOver(nats, idleMs)) / idleMs;
    const env = { ...process.env, UNSTUCK_HOME: scratch, UNSTUCK_FLEET_URL: nats.url };
    const listMs: number[] = [];
    const beganCpuMs = cpuMs();
    for (let round = 0; round < rounds; round += 1) {
      const beganMs = performance.now();
      const { hosts, runs } = await listFleet({}, { env });
      listMs.push(Math.round(performance.now() - beganMs));
      const missing = hosts.find(({ away, busy }) => (away ?? busy) !== undefined);
      if (missing !== undefined) throw new Error(`${missing.name}: ${missing.away ?? missing.busy}`);
      if (hosts.length !== count || runs.length !== count * runsPerHost) throw new Error('a host is missing');
    }
    const viewerCpuMs = Math.round((cpuMs() - beganCpuMs) / rounds);
    const { idlePercent, megabytes } = JSON.parse(said.slice(said.indexOf('{')));
    console.log(
      JSON.stringify({
        members: count,
        runs: count * runsPerHost,
        listMs,
        viewerCpuMs,
        cpuPercentPerMember: Number((idlePercent / count).toFixed(4)),
        megabytesPerMember: Number((megabytes / count).toFixed(2)),
        serverCpuPercent: Number((serverIdle * 100).toFixed(2)),
      }),
    );
    return true;
  } finally {
    members.kill('SIGKILL');
    await nats.end();
  }
}

async function serverCpuOver(nats: NatsServers, ms: number): Promise<number> {
  const before = nats.cpuMs();
  await new Promise((resolve) => setTimeout(resolve, ms));
  return nats.cpuMs() - before;
}

/** Whole members with everything they do: service, queue, sweeper, events. Their runs are simulated. */
export async function playMembers(url: string, count: number): Promise<void> {
  const startMb = process.memoryUsage().rss / 1e6;
  const joining = new Set<FleetMember>();
  for (let at = 0; at < count || joining.size > 0; at += 1) {
    const parts = { runs: fakeRuns(`host${at}`), isWanted: () => true, log: () => {} };
    if (at < count) joining.add(new FleetMember(memberOf(`host${at}`, url), parts));
    do {
      for (const member of joining) if (member.trouble === null) joining.delete(member);
      await new Promise((resolve) => setTimeout(resolve, 5));
    } while (joining.size >= joiningMax);
  }
  const beganMs = performance.now();
  const beganCpuMs = cpuMs();
  process.stdout.write('idle ');
  await new Promise((resolve) => setTimeout(resolve, idleMs - 2000));
  const idlePercent = ((cpuMs() - beganCpuMs) / (performance.now() - beganMs)) * 100;
  const megabytes = process.memoryUsage().rss / 1e6 - startMb;
  console.log(JSON.stringify({ idlePercent, megabytes }));
  await connectFleet({ url, fleet: 'default', login: {} }, { name: 'kept' });
}

export function memberOf(name: string, url: string): Membership {
  const accept = { kinds: ['start' as const], queues: [], commands: [] };
  return { url, fleet: 'default', login: {}, name, id: name, accept, slots: 2, labels: [] };
}

export function fakeRuns(host: string): LocalRuns {
  const runs = Array.from({ length: runsPerHost }, (_, at) => ({
    id: `run_${at.toString(16).padStart(12, '0')}`,
    label: `job ${at} of ${host}`,
    command: 'node server.js --port 3000 --verbose',
    status: 'running' as const,
    pid: 1000 + at,
    startedAt: '2026-01-01T00:00:00.000Z',
    uptimeS: 60,
    health: 'healthy',
    needsInput: false,
    why: 'it prints',
    task: null,
    owner: null,
    tags: [],
    cwd: '/srv/app',
    cpuPercent: 1.5,
    residentBytes: 80_000_000,
    outputBytes: 1_000_000,
    lastLine: 'GET /health 200 3 ms',
    progress: null,
    input: 'none' as const,
  }));
  return {
    live: () => runsPerHost,
    all: () => runs,
    isReported: () => true,
    noteReported: () => {},
    answer: async (name) =>
      name === 'list'
        ? { status: 200, body: { runs, unreadable: [] } }
        : { status: 200, body: { notices: [], last: 0, more: 0 } },
    why: async () => ({ status: 404, body: {} }),
    doctor: async () => ({ status: 404, body: {} }),
  };
}
