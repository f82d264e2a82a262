import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NatsServers } from '../../../bench/fleet/nats.js';
import { openConsumer } from '../../../src/fleet/events.js';
import { fleetNames } from '../../../src/fleet/names.js';
import { encodeJson } from '../../../src/fleet/wire.js';
import { until } from '../../support/background-home.js';
import { findTool } from '../../support/find-tool.js';
import { freePort } from '../../support/free-port.js';
import { afterThisTest } from '../../support/per-test.js';
import { removeDirectory } from '../../support/remove-directory.js';
import { cliPath } from '../../support/run-cli.js';

const names = fleetNames('default');

describe.skipIf(findTool('nats-server') === null)('events of a fleet for a webhook', () => {
  const store = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-nats-'));
  let nats: NatsServers;
  let connection: NatsConnection;

  beforeAll(async () => {
    nats = await NatsServers.begin(path.join(store, 'nats'));
    connection = await connect({ servers: nats.url });
  });

  afterAll(async () => {
    await connection?.close();
    await nats?.end();
    await removeDirectory(store);
  });

  const event = {
    kind: 'ended',
    host: 'a',
    at: 'now',
    runId: null,
    label: '',
    task: null,
    owner: null,
    tags: [],
  };

  function publish(...texts: string[]): void {
    for (const text of texts)
      connection.publish(names.eventSubject('a', 'ended'), encodeJson({ ...event, text }));
  }

  function follow(consumer: string, url: string) {
    const argv = [cliPath, 'fleet', 'events', '--consumer', consumer, '--webhook', url];
    const env = { ...process.env, UNSTUCK_HOME: store, UNSTUCK_FLEET_URL: nats.url };
    const child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    afterThisTest(() => child.kill('SIGKILL'));
    const words = { said: '' };
    child.stderr.on('data', (data: Buffer) => {
      words.said += data.toString();
    });
    const end = async () => {
      const ended = once(child, 'exit');
      child.kill('SIGINT');
      await ended;
    };
    return { words, end };
  }

  it('that cannot be reached is reported, and given every event once it can be', async () => {
    await openConsumer(connection, names, 'late');
    publish('one', 'two', 'three');
    const port = await freePort();
    const { words, end } = follow('late', `http://127.0.0.1:${port}/secret`);
    const note = `warning: the webhook http://127.0.0.1:${port}/… has not taken an event: it cannot be reached (ECONNREFUSED)`;
    await until(() => words.said.split(note).length > 2, 'it is said twice');
    expect(words.said).toMatch(/next try in 1 s\n.*next try in 2 s\n/);
    expect(words.said).not.toContain('secret');
    const got: string[] = [];
    const server = http.createServer((request, response) => {
      request.setEncoding('utf8');
      let body = '';
      request.on('data', (text: string) => {
        body += text;
      });
      request.on('end', () => {
        const { text } = JSON.parse(body);
        // An event that is refused for itself does not hold up the others.
        response.statusCode = text === 'two' && !got.includes('refused two') ? 422 : 200;
        got.push(response.statusCode === 200 ? text : `refused ${text}`);
        response.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    publish('four');
    await until(() => ['one', 'two', 'three', 'four'].every((text) => got.includes(text)), 'all have come');
    expect(words.said).toContain(
      'has not taken an event: it answered with status 422; the event comes again',
    );
    await end();
    server.close();
  });
});
