import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NatsServers } from '../../../bench/fleet/nats.js';
import { findTool } from '../../support/find-tool.js';
import { FleetMachine } from '../../support/fleet-machine.js';
import { removeDirectory } from '../../support/remove-directory.js';

/** The configuration that docs/fleet.md shows. */
function documented(): string {
  const page = fs.readFileSync(new URL('../../../docs/fleet.md', import.meta.url), 'utf8');
  const [, block = ''] = /\n( {4}accounts: \{[\s\S]*?\n {4}\] \} \})\n/.exec(page) ?? [];
  return block;
}

describe.skipIf(findTool('nats-server') === null)('the permissions of docs/fleet.md, as written', () => {
  const store = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-nats-'));
  const build = new FleetMachine();
  const viewer = new FleetMachine();
  const operator = new FleetMachine();
  let nats: NatsServers;

  beforeAll(async () => {
    const passwords: Record<string, string> = { $BUILD1: 'b1', $VIEWER: 'v1', $OPERATOR: 'o1' };
    const config = documented().replace(/\$(BUILD1|VIEWER|OPERATOR)\b/g, (name) => `"${passwords[name]}"`);
    nats = await NatsServers.begin(path.join(store, 'nats'), { config });
    for (const [machine, user, password] of [
      [viewer, 'viewer', 'v1'],
      [operator, 'operator', 'o1'],
    ] as const) {
      const login = { UNSTUCK_FLEET_USER: user, UNSTUCK_FLEET_PASSWORD: password };
      Object.assign(machine.env, login, { UNSTUCK_FLEET_URL: nats.url });
    }
    const url = nats.url.replace('nats://', 'nats://build1:b1@');
    const { code, stderr } = await build.cli('join', url, '--name', 'build1', '--accept', 'start,kill');
    expect(code, stderr).toBe(0);
  });

  afterAll(async () => {
    await Promise.all([build, viewer, operator].map((machine) => machine.end()));
    await nats?.end();
    await removeDirectory(store);
  });

  it('an operator starts, queues and stops; a viewer looks and nothing else', async () => {
    const { job } = await operator.json('queue', 'add', '--json', '--', 'sh', '-c', 'exit 3');
    expect(await operator.json('queue', 'wait', job, '--json')).toMatchObject({
      host: 'build1',
      exit: { code: 3 },
    });
    const { id } = await operator.json('start', '--host', 'build1', '--json', '--', 'sleep', '1000');
    const { hosts, runs } = await viewer.json('ps', '--fleet', '--json');
    expect(hosts.map(({ name }: { name: string }) => name)).toEqual(['build1']);
    expect(runs.map((run: { id: string }) => run.id)).toContain(id);
    expect((await viewer.json('log', id, '--json')).status).toBe('running');
    const refused = await viewer.cli('kill', id);
    expect(refused.code).toBe(125);
    expect(refused.stderr).toContain('the NATS server does not let this login ask build1 for kill');
    expect((await operator.json('kill', id, '--json')).status).toBe('killed');
  });

  it('a login that may not answer for a host does not join as it', async () => {
    const other = new FleetMachine();
    const url = nats.url.replace('nats://', 'nats://build1:b1@');
    const { code, stderr } = await other.cli('join', url, '--name', 'build2');
    await other.end();
    expect(code).toBe(125);
    expect(stderr).toContain('build2');
    expect(stderr).toContain('the NATS server does not let this login do that');
  });

  it('neither may delete what the fleet knows', async () => {
    for (const [user, pass] of [
      ['viewer', 'v1'],
      ['operator', 'o1'],
      ['build1', 'b1'],
    ] as const) {
      const connection = await connect({ servers: nats.url, user, pass, inboxPrefix: `_INBOX.${user}` });
      const manager = await jetstreamManager(connection);
      await expect(manager.streams.delete('KV_unstuck_default_jobs')).rejects.toThrow(
        /permissions violation/i,
      );
      await connection.close();
    }
  });
});
