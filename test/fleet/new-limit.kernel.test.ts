import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { NatsServers } from '../../bench/fleet/nats.js';
import { addJob } from '../../src/control/fleet/add-job.js';
import { setQueue } from '../../src/control/fleet/queue.js';
import { fleetNames } from '../../src/fleet/names.js';
import { JobStore } from '../../src/fleet/queue/job-store.js';
import { QueueStore } from '../../src/fleet/queue/queue-store.js';
import { findTool } from '../support/find-tool.js';
import { removeDirectory } from '../support/remove-directory.js';

const names = fleetNames('default');
const at = new Date().toISOString();
const host = 'one';

describe.skipIf(findTool('nats-server') === null)('a new limit of a queue whose jobs run', () => {
  const store = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-nats-'));
  let nats: NatsServers;
  let connection: NatsConnection;
  let jobs: JobStore;
  let queues: QueueStore;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    nats = await NatsServers.begin(path.join(store, 'nats'));
    connection = await connect({ servers: nats.url });
    env = { ...process.env, UNSTUCK_HOME: store, UNSTUCK_FLEET_URL: nats.url };
    jobs = await JobStore.open(connection, names);
    queues = await QueueStore.open(connection, names);
  });

  afterEach(() => void vi.restoreAllMocks());

  afterAll(async () => {
    await connection?.close();
    await nats?.end();
    await removeDirectory(store);
  });

  const claim = (id: string) => jobs.change(id, { kind: 'claimed', host, machine: host, at });
  const end = (id: string) => jobs.change(id, { kind: 'ended', host, attempt: 1, at });

  /** What other machines do right after each list of the jobs. */
  function afterLists(steps: readonly (() => Promise<unknown>)[]): void {
    const all = JobStore.prototype.all;
    const spy = vi.spyOn(JobStore.prototype, 'all');
    for (const step of steps) {
      spy.mockImplementationOnce(async function (this: JobStore) {
        const listed = await all.call(this);
        await step();
        return listed;
      });
    }
  }

  const countedIn = async (queue: string) => (await queues.read(queue)).running.map(({ key }) => key);

  it('counts a job that is claimed between the first list and the limit', async () => {
    const [early, late] = ['job_00000000000a', 'job_00000000000b'] as const;
    for (const id of [early, late]) await addJob({ id, command: ['true'], queue: 'q' }, { env });
    await claim(early);
    afterLists([() => claim(late)]);
    expect(await setQueue('q', { limit: 2 }, { env })).toMatchObject({ limit: 2, running: 2 });
    expect(await countedIn('q')).toEqual([`${early}.1`, `${late}.1`]);
    const { changed } = await queues.change('q', { kind: 'reserved', key: 'other.1', at });
    expect(changed).toBe(false);
  });

  it('counts the first job of a queue that is claimed meanwhile, and none that is over', async () => {
    const [late, over] = ['job_00000000001a', 'job_00000000001b'] as const;
    for (const id of [late, over]) await addJob({ id, command: ['true'], queue: 'r' }, { env });
    const both = async () => {
      await claim(late);
      await claim(over);
    };
    afterLists([both, () => end(over)]);
    expect(await setQueue('r', { limit: 5 }, { env })).toMatchObject({ limit: 5, running: 1 });
    expect(await countedIn('r')).toEqual([`${late}.1`]);
  });

  it('counts a job once that its host has counted itself', async () => {
    const id = 'job_00000000002a';
    await addJob({ id, command: ['true'], queue: 's' }, { env });
    await setQueue('s', { limit: 1 }, { env });
    await queues.change('s', { kind: 'reserved', key: `${id}.1`, at });
    await claim(id);
    expect(await setQueue('s', { limit: 3 }, { env })).toMatchObject({ limit: 3, running: 1 });
    await end(id);
    await queues.change('s', { kind: 'released', keys: [`${id}.1`] });
    expect(await countedIn('s')).toEqual([]);
  });
});
