import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { connect, headers, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NatsServers } from '../../../bench/fleet/nats.js';
import { fakeRuns, memberOf } from '../../../bench/fleet/scale.js';
import { fleetDoctor } from '../../../src/control/fleet/doctor.js';
import { listFleet } from '../../../src/control/fleet/list.js';
import { openMembers } from '../../../src/fleet/hosts.js';
import { newInbox } from '../../../src/fleet/inbox.js';
import { FleetMember } from '../../../src/fleet/member/member.js';
import { fleetNames } from '../../../src/fleet/names.js';
import { AnswerParts, encodeJson, parsePart, partHeader, workingHeader } from '../../../src/fleet/wire.js';
import { until } from '../../support/background-home.js';
import { findTool } from '../../support/find-tool.js';
import { removeDirectory } from '../../support/remove-directory.js';
import { runCli } from '../../support/run-cli.js';

const names = fleetNames('default');

describe.skipIf(findTool('nats-server') === null)('a host that has much to do', () => {
  const store = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-nats-'));
  let nats: NatsServers;
  let other: NatsConnection;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    nats = await NatsServers.begin(path.join(store, 'nats'));
    other = await connect({ servers: nats.url });
    env = { ...process.env, UNSTUCK_HOME: store, UNSTUCK_FLEET_URL: nats.url };
  });

  afterAll(async () => {
    await other?.close();
    await nats?.end();
    await removeDirectory(store);
  });

  /** A member whose waits last until they are ended. */
  async function memberThatWaits(name: string) {
    const waiting = new Set<AbortSignal>();
    const runs = fakeRuns(name);
    const answer: typeof runs.answer = async (operation, input, context) => {
      if (operation === 'kill') return { status: 200, body: { killed: true } };
      if (operation !== 'wait') return await runs.answer(operation, input, context);
      waiting.add(context.signal);
      await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
      waiting.delete(context.signal);
      return { status: 200, body: {} };
    };
    const membership = memberOf(name, nats.url);
    membership.accept.kinds = ['kill'];
    const parts = { runs: { ...runs, answer }, isWanted: () => true, log: () => {} };
    const member = new FleetMember(membership, parts);
    await until(() => member.trouble === null, `${name} has joined`);
    return { member, waiting };
  }

  /** One request; resolves with its answer. `user` stands for a login of the server. */
  function ask(connection: NatsConnection, host: string, operation: string, user: string, input: unknown) {
    const inbox = newInbox(`_INBOX.${user}`);
    const parts = new AnswerParts();
    const body = { version: 1, requestId: inbox.replaceAll('_INBOX', 'x'), input };
    return new Promise<{ status: number; body: unknown }>((resolve) => {
      connection.subscribe(inbox, {
        callback: (_, message) => {
          const part = parsePart(message.headers?.get(partHeader) ?? '');
          const whole = part === null ? null : parts.add(part, message.data);
          if (whole !== null) resolve(whole);
        },
      });
      connection.publish(names.operation(host, operation), encodeJson(body), { reply: inbox });
    });
  }

  it('does acts and looks beside any number of waits, and says to one that waits too much that it is busy', async () => {
    const { member, waiting } = await memberThatWaits('waits');
    const flood = await connect({ servers: nats.url });
    const refused: unknown[] = [];
    for (let count = 0; count < 300; count += 1) {
      void ask(flood, 'waits', 'wait', 'mallory', { id: 'x', timeoutS: 100_000 }).then((answer) =>
        refused.push(answer),
      );
    }
    await until(() => refused.length + waiting.size === 300, 'all waits have come');
    expect(refused[0]).toMatchObject({
      status: 503,
      body: { error: { code: 'busy', hint: 'try again in a moment' } },
    });
    expect(await ask(other, 'waits', 'kill', 'mallory', { id: 'x' })).toMatchObject({ status: 200 });
    expect(await ask(other, 'waits', 'list', 'mallory', {})).toMatchObject({ status: 200 });
    // Another user has room for waits of its own.
    const before = waiting.size;
    void ask(other, 'waits', 'wait', 'alice', { id: 'x' });
    await until(() => waiting.size === before + 1, 'the wait of another user has begun');
    // The client has gone: its answers are not read.
    await flood.close();
    await until(() => waiting.size === 1, 'the waits of a client that is gone end');
    await member.leave();
  });

  /** A host of the fleet that answers every request so. */
  async function hostThat(name: string, answers: (message: Msg) => void) {
    const record = { id: name, name, version: '1', labels: [], slots: 0, accept: [], runs: 0, jobs: 0 };
    const members = await openMembers(other, names);
    await members.put(name, JSON.stringify(record));
    const subscription = other.subscribe(`unstuck.default.${name}.*`, {
      callback: (_, message) => {
        if (!message.subject.endsWith('.cancel')) answers(message);
      },
    });
    return async () => {
      subscription.unsubscribe();
      await members.delete(name);
    };
  }

  function respond(message: Msg, answer: unknown): void {
    const marked = headers();
    marked.set(partHeader, '0/1');
    message.respond(encodeJson(answer), { headers: marked });
  }

  it('is listed as busy, and not as away', async () => {
    const error = {
      code: 'busy',
      message: 'it works on 256 requests already',
      hint: 'try again in a moment',
    };
    const gone = await hostThat('busy1', (message) => respond(message, { status: 503, body: { error } }));
    const { hosts } = await listFleet({}, { env });
    expect(hosts.find(({ name }) => name === 'busy1')).toMatchObject({
      busy: 'busy1: it works on 256 requests already',
    });
    expect(hosts.find(({ name }) => name === 'busy1')).not.toHaveProperty('away');
    expect((await runCli(['ps', '--fleet'], env)).stdout).toContain('busy1  busy: ');
    const row = (await fleetDoctor({ env })).capabilities.find(({ name }) => name === 'busy1');
    expect(row).toMatchObject({ status: 'partly', fix: 'try again in a moment: unstuck doctor --fleet' });
    await gone();
  });

  it('holds up the list of the others for a few seconds, and is named', async () => {
    const timers = new Set<NodeJS.Timeout>();
    const gone = await hostThat('worker', (message) => {
      const marked = headers();
      marked.set(workingHeader, '1');
      timers.add(setInterval(() => message.respond(new Uint8Array(), { headers: marked }), 1000));
    });
    const beganMs = performance.now();
    const { hosts } = await listFleet({}, { env });
    expect(performance.now() - beganMs).toBeLessThan(12_000);
    expect(hosts.find(({ name }) => name === 'worker')?.busy).toBe('worker has not answered within 5 s');
    for (const timer of timers) clearInterval(timer);
    await gone();
  });

  it('an answer to doctor that is none is named as such', async () => {
    const gone = await hostThat('odd', (message) => respond(message, { status: 200, body: 7 }));
    const row = (await fleetDoctor({ env })).capabilities.find(({ name }) => name === 'odd');
    expect(row).toMatchObject({
      status: 'no',
      finding: expect.stringContaining('odd to doctor cannot be used: it is not what Unstuck answers'),
    });
    await gone();
  });
});
