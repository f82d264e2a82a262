import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NatsServers } from '../../../bench/fleet/nats.js';
import { until } from '../../support/background-home.js';
import { findTool } from '../../support/find-tool.js';
import { FleetMachine } from '../../support/fleet-machine.js';
import { removeDirectory } from '../../support/remove-directory.js';

describe.skipIf(findTool('nats-server') === null)('a file of the membership that is damaged', () => {
  const store = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-nats-'));
  const machine = new FleetMachine();
  const file = path.join(machine.path, 'fleet.json');
  let nats: NatsServers;

  beforeAll(async () => {
    nats = await NatsServers.begin(path.join(store, 'nats'));
    const { code, stderr } = await machine.cli('join', nats.url, '--name', 'one');
    expect(code, stderr).toBe(0);
  });

  afterAll(async () => {
    await machine.end();
    await nats?.end();
    await removeDirectory(store);
  });

  const words = `${file} cannot be used: it is damaged`;
  const hint = 'hint: unstuck leave removes it, then join again: unstuck join nats://SERVER --name NAME';
  const hosts = async () => {
    const env = { UNSTUCK_FLEET_URL: nats.url };
    Object.assign(machine.env, env);
    const { hosts: found } = await machine.json('fleet', 'hosts', '--json');
    delete machine.env.UNSTUCK_FLEET_URL;
    return found.map(({ name }: { name: string }) => name);
  };

  it.each(['{{{', '', '{"url": 7}', '[]'])('is named where the fleet is asked for: %j', async (content) => {
    const good = fs.readFileSync(file);
    fs.writeFileSync(file, content);
    for (const argv of [
      ['ps', '--fleet'],
      ['log', 'one/x'],
      ['queue', 'ls'],
      ['join', nats.url, '--name', 'one'],
    ]) {
      const { code, stderr } = await machine.cli(...argv);
      expect(code, argv.join(' ')).toBe(125);
      expect(stderr).toContain(words);
      expect(stderr).toContain(hint);
    }
    await until(
      async () => (await machine.cli('daemon', 'status')).stdout.includes(`problem: fleet: ${words}`),
      'the daemon says so',
    );
    // Unknown is not absent: the machine stays a member.
    expect(await hosts()).toEqual(['one']);
    fs.writeFileSync(file, good);
  });

  it('is named without a daemon too, and leave removes it', async () => {
    fs.writeFileSync(file, '{{{');
    await machine.cli('daemon', 'stop');
    const stopped = await machine.cli('daemon', 'status');
    expect(stopped.code).toBe(1);
    expect(stopped.stdout).toContain(`problem: fleet: ${words}`);
    const { code, stderr } = await machine.cli('leave');
    expect(code).toBe(0);
    expect(stderr).toContain(`${file} was damaged and is removed`);
    expect(fs.existsSync(file)).toBe(false);
    expect((await machine.cli('leave')).stderr).toBe('this machine is in no fleet\n');
    expect((await machine.cli('ps', '--fleet')).stderr).toContain('this machine is not part of a fleet');
  });
});
