import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NatsServers } from '../../../bench/fleet/nats.js';
import { addJob } from '../../../src/control/fleet/add-job.js';
import { waitForJob } from '../../../src/control/fleet/queue.js';
import { askUntil } from '../../support/ask-until.js';
import { until } from '../../support/background-home.js';
import { findTool } from '../../support/find-tool.js';
import { FleetMachine } from '../../support/fleet-machine.js';
import { removeDirectory } from '../../support/remove-directory.js';

/** The long form is `npm run bench:fleet -- --servers 3`. */
describe.skipIf(findTool('nats-server') === null)('a fleet on a cluster of three NATS servers', () => {
  const store = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-nats-'));
  const machine = new FleetMachine();
  let nats: NatsServers;

  beforeAll(async () => {
    nats = await NatsServers.begin(path.join(store, 'nats'), { count: 3 });
    const { code, stderr } = await machine.cli('join', nats.url, '--name', 'build', '--accept', 'start');
    expect(code, stderr).toBe(0);
  });

  afterAll(async () => {
    await machine.end();
    await nats?.end();
    await removeDirectory(store);
  });

  it('jobs run once, and their ends are reported, while the leader is away', async () => {
    const mark = path.join(store, 'mark');
    const env = { ...machine.env, UNSTUCK_FLEET_URL: nats.url };
    const order = (id: string) => ({ id, command: ['sh', '-c', `echo ${id} >>${mark}; exit 3`] });
    await addJob(order('job_000000000001'), { env });
    const leader = await askUntil(
      () => nats.leader(),
      (found) => found !== null,
    );
    expect(leader).not.toBeNull();
    await nats.kill(leader ?? 0);
    // A client repeats what was not confirmed, under the same id.
    await until(async () => {
      try {
        await addJob(order('job_000000000002'), { env });
        return true;
      } catch {
        return false;
      }
    }, 'a job is added without the leader');
    const codes: (number | null | undefined)[] = [];
    for (const id of ['job_000000000001', 'job_000000000002']) {
      await until(async () => {
        const found = await waitForJob(id, 2000, { env }).catch(() => null);
        if (found?.state.is !== 'ended') return false;
        codes.push(found.state.exit?.code);
        return true;
      }, `${id} has ended`);
    }
    expect(codes).toEqual([3, 3]);
    expect(fs.readFileSync(mark, 'utf8').split('\n').sort()).toEqual([
      '',
      'job_000000000001',
      'job_000000000002',
    ]);
    await nats.start(leader ?? 0);
  });
});
