import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CuttablePorts } from '../../bench/fleet/cuttable-ports.js';
import { NatsServers } from '../../bench/fleet/nats.js';
import { fakeRuns, memberOf } from '../../bench/fleet/scale.js';
import { FleetMember } from '../../src/fleet/member/member.js';
import { openStores, type Stores } from '../../src/fleet/member/stores.js';
import { takeJob, takeUndelivered } from '../../src/fleet/member/waiting-jobs.js';
import { fleetNames } from '../../src/fleet/names.js';
import { newJob } from '../../src/fleet/queue/job.js';
import { ServerClock } from '../../src/fleet/server-clock.js';
import { askUntil } from '../support/ask-until.js';
import { until } from '../support/background-home.js';
import { findTool } from '../support/find-tool.js';
import { removeDirectory } from '../support/remove-directory.js';

const names = fleetNames('default');
/** A host that asks by itself does so within it, whatever others do. */
const boundMs = 45_000;
const oneWayMs = 10;
const inFront = 120;
const hourMs = 3600 * 1000;

describe.skipIf(findTool('nats-server') === null)('a job that some hosts refuse', () => {
  const store = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-nats-'));
  const members: FleetMember[] = [];
  const ending = new Set<string>();
  let nats: NatsServers;
  let slow: CuttablePorts;
  let connection: NatsConnection;
  let stores: Stores;
  let clock: ServerClock;
  let added = 0;

  beforeAll(async () => {
    nats = await NatsServers.begin(path.join(store, 'nats'));
    slow = await CuttablePorts.begin([nats.ports[0]?.client ?? 0], oneWayMs);
    connection = await connect({ servers: nats.url });
    const first = await joined('first', []);
    await first.leave();
    clock = await ServerClock.read(connection, names);
    stores = await openStores(contextOf([]));
  });

  afterEach(async () => {
    await Promise.all(members.splice(0).map((member) => member.leave()));
  });

  afterAll(async () => {
    slow?.end();
    await connection?.close();
    await nats?.end();
    await removeDirectory(store);
  });

  /** A run ends when its job is in `ending`. */
  const runs = {
    ...fakeRuns('test'),
    all: () => [],
    answer: async (operation: string) => {
      if (operation === 'start') return { status: 200, body: { id: 'run_000000000001' } };
      if (operation !== 'wait') return { status: 200, body: { notices: [], more: 0 } };
      await new Promise((resolve) => setTimeout(resolve, 20));
      return { status: 200, body: waited() };
    },
  };
  const waited = () =>
    ending.size > 0
      ? { status: 'exited', exit: { code: 0, signal: null, provenance: 'observed' } }
      : { status: 'timeout' };

  const membership = (name: string, commands: string[], labels: string[], url: string) => {
    const made = memberOf(name, url);
    return { ...made, labels, accept: { ...made.accept, commands } };
  };
  const contextOf = (commands: string[], labels: string[] = []) => ({
    connection,
    names,
    clock,
    membership: membership('other', commands, labels, nats.url),
    runs,
    log: () => {},
  });

  async function joined(
    role: string,
    commands: string[],
    { labels = [], url = nats.url, slots = 1000 }: { labels?: string[]; url?: string; slots?: number } = {},
  ): Promise<FleetMember> {
    // Under one name it would go on with the jobs of the test before.
    const name = [role, ...labels].join('-');
    const parts = { runs, isWanted: () => true, log: () => {} };
    const member = new FleetMember({ ...membership(name, commands, labels, url), slots }, parts);
    members.push(member);
    await until(() => member.trouble === null, `${name} has joined`);
    return member;
  }

  async function add(command: string[], needs: string[], queue = 'default'): Promise<string> {
    added += 1;
    const id = `job_${added.toString(16).padStart(12, '0')}`;
    const addedAt = new Date().toISOString();
    const order = { id, queue, needs, command, againIfLost: false, addedAt, addedBy: 'test' };
    await stores.jobs.add(newJob(order));
    connection.publish(names.nudge, '{}');
    return id;
  }

  const stateOf = async (id: string) => (await stores.jobs.read(id)).state;
  const isStarted = async (id: string) => (await stateOf(id)).is === 'running';

  /** As after many refusals: its message does not come for an hour. */
  async function hideMessages(needs: string[]): Promise<void> {
    const subject = names.queueSubject('default', needs);
    const refusing = contextOf(['nothing'], needs);
    const { kind } = await askUntil(
      () => takeJob(refusing, stores, subject),
      (taken) => taken.kind !== 'none',
    );
    expect(kind).not.toBe('job');
    const consumer = await stores.consumers.get(subject);
    await until(async () => {
      const message = await consumer?.next({ expires: 1000 });
      message?.nak(hourMs);
      return message != null;
    }, 'it is refused for long');
    await connection.flush();
  }

  it('is started by an idle host that accepts it', async () => {
    const labels = ['few'];
    await joined('refuses', ['nothing'], { labels });
    await joined('accepts', ['make *'], { labels });
    for (const target of ['a', 'b', 'c']) {
      const id = await add(['make', target], labels);
      await until(() => isStarted(id), `${target} is started`, boundMs);
    }
  });

  it('is started when all hosts but one refuse it', async () => {
    const labels = ['many'];
    for (const digit of '12345678') await joined(`refuses${digit}`, ['nothing'], { labels });
    await joined('accepts', ['make *'], { labels });
    for (const target of ['a', 'b']) {
      const id = await add(['make', target], labels);
      await until(() => isStarted(id), `${target} is started`, boundMs);
    }
  });

  it('is started when a host that accepts it joins, however long it was refused before', async () => {
    const labels = ['late'];
    const id = await add(['make', 'x'], labels);
    await hideMessages(labels);
    await joined('refuses', ['nothing'], { labels });
    await joined('accepts', ['make *'], { labels });
    await until(() => isStarted(id), 'it is started', boundMs);
  });

  it('is started when the host that accepts it becomes free', async () => {
    const labels = ['busy'];
    await joined('accepts', ['make *'], { labels, slots: 1 });
    const before = await add(['make', 'first'], labels);
    await until(() => isStarted(before), 'the host is busy');
    const id = await add(['make', 'second'], labels);
    await hideMessages(labels);
    ending.add(before);
    await until(async () => (await stateOf(id)).is !== 'queued', 'it is started', boundMs);
    ending.clear();
  });

  it('is read where it is, once by each host, and again while its queue is full', async () => {
    const labels = ['narrow'];
    const subject = names.queueSubject('tight', labels);
    const kindFor = async (commands: string[], own: Stores) =>
      (await takeUndelivered(contextOf(commands, labels), own, subject)).kind;
    const at = new Date().toISOString();
    await stores.queues.change('tight', { kind: 'set', limit: 1 });
    await stores.queues.change('tight', { kind: 'reserved', key: 'other.1', at });
    const id = await add(['make', 'x'], labels, 'tight');
    const refusing = await openStores(contextOf([]));
    expect(await kindFor(['other'], refusing)).toBe('skipped');
    expect(await kindFor(['other'], refusing)).toBe('none');
    expect(await kindFor(['make *'], stores)).toBe('none');
    await stores.queues.change('tight', { kind: 'released', keys: ['other.1'] });
    expect(await kindFor(['make *'], stores)).toBe('job');
    expect((await stateOf(id)).is).toBe('running');
    const late = await openStores(contextOf([]));
    expect(await kindFor(['make *'], late)).toBe('skipped');
  });

  it('leaves no message behind when it was claimed before its message was delivered', async () => {
    const labels = ['early'];
    const context = contextOf(['make *'], labels);
    const subject = names.queueSubject('default', labels);
    await add(['make', 'x'], labels);
    expect((await takeUndelivered(context, stores, subject)).kind).toBe('job');
    const { kind } = await askUntil(
      () => takeJob(context, stores, subject),
      (taken) => taken.kind !== 'none',
    );
    expect(kind).toBe('skipped');
    const isGone = async () => (await stores.jobs.messageFrom(subject, 1)) === null;
    await until(isGone, 'its message is gone');
  });

  it('does not hold up the jobs behind it, where each question takes 20 ms', async () => {
    const labels = ['far'];
    await Promise.all(Array.from({ length: inFront }, () => add(['other'], labels)));
    const id = await add(['make', 'x'], labels);
    await joined('refuses', ['nothing'], { labels, url: slow.url });
    await joined('accepts', ['make *'], { labels, url: slow.url });
    await until(() => isStarted(id), 'the job behind them is started', boundMs);
  });

  it('does not hold up the jobs behind it when there are more than the server hands out at once', async () => {
    const labels = ['crowd'];
    for (let hundreds = 0; hundreds < 11; hundreds += 1) {
      await Promise.all(Array.from({ length: 100 }, () => add(['other'], labels)));
    }
    const id = await add(['make', 'x'], labels);
    await joined('accepts', ['make *'], { labels });
    await until(() => isStarted(id), 'the job behind them is started', boundMs);
  });
});
