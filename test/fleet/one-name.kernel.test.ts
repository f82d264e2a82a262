import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NatsServers } from '../../bench/fleet/nats.js';
import { fakeRuns, memberOf } from '../../bench/fleet/scale.js';
import { addJob } from '../../src/control/fleet/add-job.js';
import { cancelJob, setQueue } from '../../src/control/fleet/queue.js';
import { openMembers, readHost } from '../../src/fleet/hosts.js';
import { followJob } from '../../src/fleet/member/follow-job.js';
import { FleetMember } from '../../src/fleet/member/member.js';
import { openStores, type Stores } from '../../src/fleet/member/stores.js';
import { takeJob } from '../../src/fleet/member/waiting-jobs.js';
import { fleetNames } from '../../src/fleet/names.js';
import { ServerClock } from '../../src/fleet/server-clock.js';
import { askUntil } from '../support/ask-until.js';
import { until } from '../support/background-home.js';
import { findTool } from '../support/find-tool.js';
import { removeDirectory } from '../support/remove-directory.js';

const names = fleetNames('default');
const at = new Date().toISOString();

describe.skipIf(findTool('nats-server') === null)('a name of a host, and the machines that have it', () => {
  const store = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-nats-'));
  const runs = fakeRuns('test');
  const asked: string[] = [];
  const members: FleetMember[] = [];
  let nats: NatsServers;
  let connection: NatsConnection;
  let stores: Stores;
  let clock: ServerClock;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    nats = await NatsServers.begin(path.join(store, 'nats'));
    connection = await connect({ servers: nats.url });
    env = { ...process.env, UNSTUCK_HOME: store, UNSTUCK_FLEET_URL: nats.url };
    const first = member('first', 'first');
    await until(() => first.trouble === null, 'the first has joined');
    clock = await ServerClock.read(connection, names);
    stores = await openStores(contextOf('first'));
  });

  afterAll(async () => {
    await Promise.all(members.map((one) => one.close()));
    await connection?.close();
    await nats?.end();
    await removeDirectory(store);
  });

  /** Its runs never end, and what it is asked for is noted. */
  const noting = (host: string) => ({
    ...runs,
    all: () => [],
    answer: async (operation: string) => {
      asked.push(`${host} ${operation}`);
      await delay(20);
      if (operation === 'start') return { status: 200, body: { id: 'run_000000000001' } };
      return { status: 200, body: operation === 'wait' ? { status: 'timeout' } : { notices: [], more: 0 } };
    },
  });

  function member(name: string, id: string, labels: string[] = []): FleetMember {
    const parts = { runs: noting(id), isWanted: () => true, log: () => {} };
    const made = new FleetMember({ ...memberOf(name, nats.url), id, labels }, parts);
    members.push(made);
    return made;
  }

  const contextOf = (host: string) => ({
    connection,
    names,
    clock,
    membership: memberOf(host, nats.url),
    runs: noting(host),
    log: () => {},
  });

  it('of two machines that join with one name at once, one gets it', async () => {
    const both = ['left', 'right'].map((id) => member('twin', id));
    const isIn = ({ trouble }: FleetMember) => trouble === null;
    const isOut = ({ trouble }: FleetMember) =>
      trouble?.includes('another machine has joined as twin') === true;
    await until(() => both.some(isIn) && both.some(isOut), 'one is in, the other is told why it is not');
    await Promise.all(both.filter(isOut).map((one) => one.close()));
  });

  it('a machine that leaves does not take away the key of the next one with its name', async () => {
    const old = member('moved', 'old');
    await until(() => old.trouble === null, 'the old one has joined');
    const bucket = await openMembers(connection, names);
    // As `unstuck leave` does, before the daemon of that machine notices it.
    await bucket.delete('moved');
    const next = member('moved', 'next');
    await until(() => next.trouble === null, 'the next one has joined');
    await old.leave();
    expect(await readHost(bucket, 'moved')).toMatchObject({ id: 'next' });
    await next.leave();
    expect(await readHost(bucket, 'moved')).toBeNull();
  });

  it('a machine that was made anew does not start the jobs of the one before', async () => {
    for (const [id, againIfLost] of [
      ['job_00000000000a', false],
      ['job_00000000000b', true],
    ] as const) {
      await addJob({ id, command: ['true'], needs: ['moon'], againIfLost }, { env });
      await stores.jobs.change(id, { kind: 'claimed', host: 'anew', machine: 'before', at });
    }
    const anew = member('anew', 'after');
    await until(() => anew.trouble === null, 'the machine has joined');
    const lost = await stores.jobs.read('job_00000000000a');
    expect(lost.state).toMatchObject({ is: 'lost', reason: 'another machine has the name anew now' });
    expect(await stores.jobs.read('job_00000000000b')).toMatchObject({ state: { is: 'queued' }, attempt: 2 });
    expect(asked).not.toContain('after start');
  });

  it('a message that comes again takes up no place of a limited queue', async () => {
    const id = 'job_00000000000c';
    await setQueue('narrow', { limit: 1 }, { env });
    await stores.jobs.manager.streams.info(names.queueStream);
    await addJob({ id, command: ['true'], queue: 'narrow', needs: ['moon'] }, { env });
    await stores.jobs.change(id, { kind: 'claimed', host: 'first', machine: 'first', at });
    await stores.jobs.change(id, { kind: 'ended', host: 'first', attempt: 1, at });
    const context = contextOf('first');
    const able = { ...context, membership: { ...context.membership, labels: ['moon'] } };
    // A server that is busy may hand out nothing within the second that it is given.
    const taken = await askUntil(
      () => takeJob(able, stores, names.queueSubject('narrow', ['moon'])),
      ({ kind }) => kind !== 'none',
    );
    expect(taken.kind).toBe('skipped');
    expect((await stores.queues.read('narrow')).running).toEqual([]);
  });

  it('jobs that run already count towards a new limit', async () => {
    const [running, over] = ['job_00000000002c', 'job_00000000003c'];
    for (const id of [running, over] as const) {
      await addJob({ id, command: ['true'], queue: 'late', needs: ['moon'] }, { env });
      await stores.jobs.change(id, { kind: 'claimed', host: 'first', machine: 'first', at });
    }
    await stores.jobs.change(`${over}`, { kind: 'ended', host: 'first', attempt: 1, at });
    expect(await setQueue('late', { limit: 1 }, { env })).toMatchObject({ limit: 1, running: 1 });
    const { record } = await stores.queues.change('late', { kind: 'reserved', key: 'other.1', at });
    expect(record.running.map(({ key }) => key)).toEqual([`${running}.1`]);
  });

  it('messages of cancelled jobs, and of jobs that only a newer version can read, hold up no other', async () => {
    const needs = ['sun'];
    for (const digit of ['1', '2', '3', '4', '5', '6', '7', '8']) {
      await addJob({ id: `job_0000000000${digit}e`, command: ['true'], needs }, { env });
      await cancelJob(`job_0000000000${digit}e`, { env });
    }
    const subject = names.queueSubject('default', needs);
    await stores.jobs.js.publish(`$KV.${names.jobs}.job_00000000009e`, '{"version":2}');
    await stores.jobs.js.publish(subject, 'job_00000000009e');
    await addJob({ id: 'job_0000000000fe', command: ['true'], needs }, { env });
    const able = member('able', 'able', needs);
    await until(() => able.trouble === null, 'the machine has joined');
    const isTaken = async () => (await stores.jobs.read('job_0000000000fe')).state.is === 'running';
    // A host asks by itself every 10 s: once per message would be too late.
    await until(isTaken, 'the job behind them is taken');
  });

  it('a job whose command a host does not accept is left for another host', async () => {
    const id = 'job_00000000001d';
    await addJob({ id, command: ['make', 'x'], needs: ['star'] }, { env });
    const context = contextOf('first');
    const taking = (commands: string[]) => {
      const accept = { ...context.membership.accept, commands };
      return takeJob(
        { ...context, membership: { ...context.membership, accept, labels: ['star'] } },
        stores,
        names.queueSubject('default', ['star']),
      );
    };
    const isAnswer = ({ kind }: { kind: string }) => kind !== 'none';
    expect((await askUntil(() => taking(['echo *']), isAnswer)).kind).toBe('refused');
    expect((await stores.jobs.read(id)).state.is).toBe('queued');
    expect((await askUntil(() => taking(['make *']), isAnswer)).kind).toBe('job');
  });

  it('a host that stood still stops the run of a job that another host has by now', async () => {
    const id = 'job_00000000000d';
    await addJob({ id, command: ['true'], needs: ['moon'], againIfLost: true }, { env });
    const { job } = await stores.jobs.change(id, { kind: 'claimed', host: 'still', machine: 'still', at });
    await stores.jobs.change(id, { kind: 'host-away', host: 'still', at, reason: 'gone' });
    const context = contextOf('still');
    const able = { ...context.membership, labels: ['moon'] };
    const never = new AbortController().signal;
    await followJob(job, { ...context, store: stores.jobs, membership: able, ended: never, cancel: never });
    expect(asked).toContain('still kill');
    expect(await stores.jobs.read(id)).toMatchObject({ state: { is: 'queued' }, attempt: 2 });
  });
});
