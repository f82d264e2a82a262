import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NatsServers } from '../../../bench/fleet/nats.js';
import { addJob } from '../../../src/control/fleet/add-job.js';
import { cancelJob, listJobs, waitForJob } from '../../../src/control/fleet/queue.js';
import { askUntil } from '../../support/ask-until.js';
import { findTool } from '../../support/find-tool.js';
import { removeDirectory } from '../../support/remove-directory.js';
import { runCli } from '../../support/run-cli.js';

describe.skipIf(findTool('nats-server') === null)('a cluster of NATS servers without a leader', () => {
  const store = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-nats-'));
  let nats: NatsServers;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    nats = await NatsServers.begin(path.join(store, 'nats'), { count: 3 });
    env = { ...process.env, UNSTUCK_HOME: store, UNSTUCK_FLEET_URL: nats.url };
  });

  afterAll(async () => {
    await nats?.end();
    await removeDirectory(store);
  });

  it('is named as such; jobs are listed and ended when there is one again', async () => {
    const id = 'job_0000000000aa';
    await addJob({ id, command: ['true'] }, { env });
    await nats.kill(0);
    await nats.kill(1);
    // The last server needs a while to notice that the others are gone.
    const refused = await askUntil(
      () => runCli(['queue', 'set', 'q', '--limit', '1'], env),
      ({ stderr }) => stderr.includes('have no leader at the moment'),
    );
    expect(refused.stderr).toContain('hint: try again in a moment');
    await Promise.all([nats.start(0), nats.start(1)]);
    // On a busy machine an election takes longer than each of them waits for it.
    const jobs = await askUntil(
      () => listJobs({ env }).catch(() => null),
      (listed) => listed !== null,
    );
    expect(jobs?.map((job) => job.id)).toEqual([id]);
    const waited = waitForJob(id, null, { env });
    await askUntil(
      () => cancelJob(id, { env }).catch(() => null),
      (job) => job !== null,
    );
    expect((await waited).state.is).toBe('cancelled');
  });
});
