import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CuttablePorts } from '../../bench/fleet/cuttable-ports.js';
import { NatsServers } from '../../bench/fleet/nats.js';
import { fakeRuns, memberOf } from '../../bench/fleet/scale.js';
import { addJob } from '../../src/control/fleet/add-job.js';
import { listFleet } from '../../src/control/fleet/list.js';
import { listJobs } from '../../src/control/fleet/queue.js';
import { FleetMember } from '../../src/fleet/member/member.js';
import { openStores, type Stores } from '../../src/fleet/member/stores.js';
import { Sweeper } from '../../src/fleet/member/sweeper.js';
import { fleetNames } from '../../src/fleet/names.js';
import { ServerClock } from '../../src/fleet/server-clock.js';
import { openBucket } from '../../src/fleet/storage.js';
import { until } from '../support/background-home.js';
import { findTool } from '../support/find-tool.js';
import { removeDirectory } from '../support/remove-directory.js';

const names = fleetNames('default');
const hourMs = 3600 * 1000;
/** A host that was not seen for this long has lost its jobs. */
const lostMs = 100_000;

describe.skipIf(findTool('nats-server') === null)('a member on a real NATS server', () => {
  const store = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-nats-'));
  const runs = fakeRuns('test');
  let nats: NatsServers;
  let network: CuttablePorts;
  let connection: NatsConnection;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    nats = await NatsServers.begin(path.join(store, 'nats'));
    network = await CuttablePorts.begin(nats.ports.map(({ client }) => client));
    connection = await connect({ servers: nats.url });
    env = { ...process.env, UNSTUCK_HOME: store, UNSTUCK_FLEET_URL: nats.url };
  });

  afterAll(async () => {
    network?.end();
    await connection?.close();
    await nats?.end();
    await removeDirectory(store);
  });

  const joined = async (name: string, url: string) => {
    const parts = { runs, isWanted: () => true, log: () => {} };
    const member = new FleetMember(memberOf(name, url), parts);
    await until(() => member.trouble === null, `${name} has joined`);
    return member;
  };

  it('ends when its connection is lost while it ends', async () => {
    const member = await joined('cut', network.url);
    const cut = network.cut(200);
    await member.close();
    await cut;
  });

  /** A job that no member of this test takes, and that a host has claimed. */
  const claimed = async (stores: Stores, id: string, host: string) => {
    await addJob({ id, command: ['true'], needs: ['moon'] }, { env });
    const at = new Date().toISOString();
    await stores.jobs.change(id, { kind: 'claimed', host, machine: host, at });
  };
  const stateOf = async (id: string) => (await listJobs({ env })).find((job) => job.id === id)?.state;
  const contextWith = (clock: ServerClock) => ({
    connection,
    names,
    clock,
    membership: memberOf('sweeper', nats.url),
    runs,
    log: () => {},
  });

  it('a machine whose clock is wrong by an hour lists the other machines, and gives up no job', async () => {
    const members = [];
    for (const shiftMs of [hourMs, -hourMs]) {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + shiftMs });
      members.push(await joined(`shifted${members.length}`, nats.url));
      const { hosts } = await listFleet({}, { env });
      expect(hosts.filter(({ away }) => away !== undefined).map(({ name }) => name)).not.toContain(
        'shifted0',
      );
      const context = contextWith(await ServerClock.read(connection, names));
      const stores = await openStores(context);
      const id = `job_00000000000${members.length}`;
      await claimed(stores, id, 'shifted0');
      await new Sweeper(context, stores).sweep();
      expect(await stateOf(id)).toMatchObject({ is: 'running', host: 'shifted0' });
      vi.useRealTimers();
    }
    await Promise.all(members.map((member) => member.leave()));
  });

  it('throws away messages that name no job', async () => {
    const log: string[] = [];
    const parts = { runs, isWanted: () => true, log: (line: string) => void log.push(line) };
    const member = new FleetMember(memberOf('tidy', nats.url), parts);
    const { jobs } = await openStores(contextWith(await ServerClock.read(connection, names)));
    for (const text of ['job_ffffffffffff', '\u001b[2J'])
      await jobs.js.publish(names.queueSubject('q', []), text);
    await until(async () => {
      connection.publish(names.nudge, '{}');
      const filter = { subjects_filter: names.queueSubject('q', []) };
      const { state } = await jobs.manager.streams.info(names.queueStream, filter);
      return Object.keys(state.subjects ?? {}).length === 0;
    }, 'they are gone');
    await member.close();
    expect(log.join('\n')).not.toContain('\u001b');
  });

  it('a message under a subject that is none holds up no job', async () => {
    const stores = await openStores(contextWith(await ServerClock.read(connection, names)));
    await stores.jobs.js.publish('unstuck-queue.default.q$!é.-', 'job_ffffffffffff');
    const id = 'job_00000000000c';
    await addJob({ id, command: ['true'] }, { env });
    const member = await joined('able', nats.url);
    await until(async () => (await stateOf(id))?.is !== 'queued', 'the job is taken');
    await member.leave();
  });

  it('a job whose host does not come back is lost, and reported once', async () => {
    const clock = await ServerClock.read(connection, names);
    const later = Object.assign(Object.create(clock) as ServerClock, { nowMs: () => clock.nowMs() + lostMs });
    const context = contextWith(later);
    const stores = await openStores(context);
    const id = 'job_00000000000a';
    await claimed(stores, id, 'gone');
    await new Sweeper(context, stores).sweep();
    const state = await stateOf(id);
    expect(state).toMatchObject({ is: 'lost', host: 'gone', reported: true });
    await claimed(stores, 'job_00000000000b', 'shifted0');
    await new Sweeper(context, stores).sweep();
    const left = { is: 'lost', reason: expect.stringMatching(/^shifted0 left the fleet at \d/) };
    expect(await stateOf('job_00000000000b')).toMatchObject(left);
    const bucket = await openBucket(connection, names.jobs, { valueBytesMax: 900 * 1024 });
    const job = await stores.jobs.read(id);
    // As after a crash between the event and the note of it.
    await bucket.put(id, JSON.stringify({ ...job, state: { ...state, reported: undefined } }));
    await new Sweeper(context, stores).sweep();
    expect(await stateOf(id)).toEqual(state);
    const lost = names.eventSubject('sweeper', 'lost');
    const info = await stores.jobs.manager.streams.info(names.eventStream, { subjects_filter: lost });
    const all = (await listJobs({ env })).filter((one) => one.state.is === 'lost');
    expect(info.state.subjects).toEqual({ [lost]: all.length });
  });
});
