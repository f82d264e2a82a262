import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { connect, headers, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NatsServers } from '../../../bench/fleet/nats.js';
import { listFleet } from '../../../src/control/fleet/list.js';
import { waitForJob } from '../../../src/control/fleet/queue.js';
import { whyOnHost } from '../../../src/control/fleet/why.js';
import { consumeEvents, openConsumer } from '../../../src/fleet/events.js';
import { openMembers } from '../../../src/fleet/hosts.js';
import { fleetNames } from '../../../src/fleet/names.js';
import { newJob } from '../../../src/fleet/queue/job.js';
import { openBucket } from '../../../src/fleet/storage.js';
import { encodeJson, partHeader } from '../../../src/fleet/wire.js';
import { until } from '../../support/background-home.js';
import { findTool } from '../../support/find-tool.js';
import { FleetMachine } from '../../support/fleet-machine.js';
import { patienceMs } from '../../support/patience.js';
import { removeDirectory } from '../../support/remove-directory.js';

const names = fleetNames('default');

describe.skipIf(findTool('nats-server') === null)('a hostile machine with a login of the server', () => {
  const store = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-nats-'));
  /** Joined with defaults: other machines may look. */
  const laptop = new FleetMachine();
  let nats: NatsServers;
  let evil: NatsConnection;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    nats = await NatsServers.begin(path.join(store, 'nats'), { config: 'max_payload: 32MB' });
    env = { ...laptop.env, UNSTUCK_FLEET_URL: nats.url };
    const { code, stderr } = await laptop.cli('join', nats.url, '--name', 'laptop');
    expect(code, stderr).toBe(0);
    evil = await connect({ servers: nats.url });
  });

  afterAll(async () => {
    await evil?.close();
    await laptop.end();
    await nats?.end();
    await removeDirectory(store);
  });

  const ask = async (operation: string, data: Uint8Array | string) => {
    const { data: answer } = await evil.request(names.operation('laptop', operation), data, {
      timeout: patienceMs,
    });
    return JSON.parse(new TextDecoder().decode(answer));
  };

  it('garbage, 10 MB and a newer version are refused in words, and the member lives', async () => {
    for (const data of ['', '{', '[]', '{"version":1}', '\u0000\u0001', '{"version":1,"requestId":"a b"}']) {
      expect((await ask('list', data)).body.error.code).toBe('bad-input');
    }
    expect((await ask('list', 'x'.repeat(10_000_000))).body.error.code).toBe('bad-input');
    const deep = `{"version":1,"requestId":"deep","input":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect((await ask('list', deep)).status).not.toBe(200);
    const newer = encodeJson({ version: 2, requestId: 'x', input: {} });
    expect((await ask('list', newer)).body.error.code).toBe('unsupported');
    expect((await listFleet({}, { env })).hosts).toMatchObject([{ name: 'laptop' }]);
  });

  it('a member publishes nothing but answers to an inbox', async () => {
    const got: string[] = [];
    evil.subscribe('elsewhere.>', { callback: (_, message) => void got.push(message.subject) });
    const request = encodeJson({ version: 1, requestId: 'x', input: {} });
    evil.publish(names.operation('laptop', 'list'), request, { reply: 'elsewhere.reply' });
    // Answers come in order: the second proves that the first request was read.
    expect((await ask('list', request)).status).toBe(200);
    await evil.flush();
    expect(got).toEqual([]);
  });

  it('a forged record of a job starts nothing on a member that accepts no commands', async () => {
    const mark = path.join(store, 'forged');
    const id = 'job_0000000000ff';
    const at = new Date().toISOString();
    const order = { id, queue: 'default', needs: [], command: ['touch', mark], againIfLost: false };
    const job = newJob({ ...order, addedAt: at, addedBy: 'evil' });
    const jobs = await openBucket(evil, names.jobs, { valueBytesMax: 900 * 1024 });
    await jobs.put(id, JSON.stringify({ ...job, state: { is: 'running', host: 'laptop', claimedAt: at } }));
    await jobs.put('job_0000000000fe', JSON.stringify({ ...job, id: 'job_0000000000fe', needs: [{}] }));
    await jobs.put('job_0000000000fd', 'not JSON');
    evil.publish(names.nudge, encodeJson({ host: 'laptop', running: [id] }));
    const { state } = await waitForJob(id, patienceMs, { env });
    expect(state).toMatchObject({ is: 'ended', reason: 'laptop does not accept this job' });
    expect(state).not.toHaveProperty('exit');
    expect(fs.existsSync(mark)).toBe(false);
  });

  it('an event in the name of another host is not given on', async () => {
    const stop = new AbortController();
    const got: string[] = [];
    const client = await connect({ servers: nats.url });
    const reading = (async () => {
      const found = await openConsumer(client, names, 'test');
      for await (const { event, done } of consumeEvents(found, names, stop.signal)) {
        got.push(event.text);
        await done();
      }
    })();
    const event = {
      kind: 'ended',
      at: '2026-01-01T00:00:00Z',
      runId: null,
      label: '',
      task: null,
      owner: null,
      tags: [],
    };
    const publish = (host: string, text: string) =>
      evil.publish(names.eventSubject('evil', 'ended'), encodeJson({ ...event, host, text }));
    await until(() => {
      publish('laptop', 'forged');
      publish('evil', 'own');
      return got.length > 0;
    }, 'an event came');
    stop.abort();
    await reading;
    await client.close();
    expect(new Set(got)).toEqual(new Set(['own']));
  });

  it('answers of a hostile host do not break the list, and cannot control a terminal', async () => {
    const record = {
      id: 'x',
      version: '\u001b[2J',
      labels: ['\u001b]0;x\u0007', 7],
      slots: -1,
      accept: 'all',
    };
    const members = await openMembers(evil, names);
    const answers: Record<string, unknown> = {
      nonsense: { status: 200, body: { runs: [null, 7] } },
      words: { status: 404, body: { error: { code: 'no-such-run', message: '\u001b[2J', hint: '\u0007' } } },
      none: 'x',
    };
    for (const [name, answer] of Object.entries(answers)) {
      await members.put(name, JSON.stringify({ ...record, name }));
      evil.subscribe(`unstuck.default.${name}.>`, {
        callback: (_, message) => {
          const marked = headers();
          marked.set(partHeader, '0/1');
          message.respond(encodeJson(answer), { headers: marked });
        },
      });
    }
    await members.put('other', JSON.stringify({ ...record, name: 'laptop' }));
    await members.put('a.b', JSON.stringify({ ...record, name: 'a.b' }));
    const { hosts, runs } = await listFleet({}, { env });
    const away = Object.fromEntries(hosts.map((host) => [host.name, host.away]));
    expect(Object.keys(away)).toEqual(['laptop', 'none', 'nonsense', 'words']);
    expect(away.laptop).toBeUndefined();
    expect(away.nonsense).toContain('cannot be used');
    expect(runs).toEqual([]);
    const { code, stdout, stderr } = await laptop.cli('ps', '--fleet');
    expect(code, stderr).toBe(0);
    expect(stdout + stderr).not.toMatch(/[\u001b\u0007]/);
    await expect(whyOnHost('nonsense/1', { env })).rejects.toThrow('it is not what Unstuck answers');
  });
});
