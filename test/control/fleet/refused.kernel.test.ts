import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { connect, headers } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NatsServers } from '../../../bench/fleet/nats.js';
import { daemonStatus } from '../../../src/control/client/daemon-status.js';
import { askUntil } from '../../support/ask-until.js';
import { until } from '../../support/background-home.js';
import { findTool } from '../../support/find-tool.js';
import { FleetMachine } from '../../support/fleet-machine.js';
import { removeDirectory } from '../../support/remove-directory.js';
import { cliPath, runCli } from '../../support/run-cli.js';

describe.skipIf(findTool('nats-server') === null)('what a fleet refuses, and what a member outlasts', () => {
  const store = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-nats-'));
  const machine = new FleetMachine();
  let nats: NatsServers;

  beforeAll(async () => {
    nats = await NatsServers.begin(path.join(store, 'nats'));
  });

  afterAll(async () => {
    await machine.end();
    await nats?.end();
    await removeDirectory(store);
  });

  const hasJoined = ({ path: home }: FleetMachine) => fs.existsSync(path.join(home, 'fleet.json'));

  /** One attempt to join such a server; the machine must be as it was after it. */
  async function refusedBy(jetstream: string | null): Promise<string> {
    const [server, own] = [
      await NatsServers.begin(fs.mkdtempSync(path.join(store, 'other-')), { jetstream }),
      new FleetMachine(),
    ];
    try {
      const { code, stderr } = await own.cli('join', server.url, '--name', 'x', '--accept', 'start');
      expect(code).toBe(125);
      expect(hasJoined(own)).toBe(false);
      return stderr;
    } finally {
      await own.end();
      await server.end();
    }
  }

  it('a server without JetStream, or without room, is named as such, and nothing has changed', async () => {
    expect(await refusedBy(null)).toContain('is JetStream switched on?');
    const full = await refusedBy('max_file: 1M');
    expect(full).toMatch(/JetStream of the NATS server at .* has no room left/);
  });

  it('a server with little room is joined', async () => {
    const own = new FleetMachine();
    const jetstream = 'max_file: 100M';
    const server = await NatsServers.begin(fs.mkdtempSync(path.join(store, 'small-')), { jetstream });
    const { code, stderr } = await own.cli('join', server.url, '--name', 'x');
    await own.end();
    await server.end();
    expect(code, stderr).toBe(0);
  });

  it('a name of a fleet from the environment, and a scheme, are checked', async () => {
    const env = { ...machine.env, UNSTUCK_FLEET_URL: nats.url, UNSTUCK_FLEET_NAME: 'a.>' };
    const named = await runCli(['queue', 'add', '--', 'true'], env);
    expect(named.stderr).toContain('not a name of a fleet: "a.>"');
    const encrypted = await machine.cli('join', nats.url.replace('nats:', 'https:'), '--name', 'x');
    expect(encrypted.stderr).toContain('https:// is not the address of a NATS server');
    expect(hasJoined(machine)).toBe(false);
  });

  it('a daemon that is killed while its machine joins is started again', async () => {
    const argv = [cliPath, 'join', nats.url, '--name', 'one', '--accept', 'start'];
    const joining = spawn(process.execPath, argv, { env: machine.env, stdio: ['ignore', 'ignore', 'pipe'] });
    let words = '';
    joining.stderr.on('data', (data: Buffer) => {
      words += data.toString();
    });
    const ended = once(joining, 'exit');
    for (let kills = 0; kills < 3 && joining.exitCode === null; kills += 1) {
      const isThere = async () => (await daemonStatus(machine.env)).running;
      await until(async () => joining.exitCode !== null || (await isThere()), 'the daemon answers');
      await machine.killDaemon();
    }
    expect(await ended, words).toEqual([0, null]);
    // The last kill may have come after it had joined. The next tests need a host that takes jobs.
    expect((await machine.cli('daemon', 'start')).code).toBe(0);
  });

  it('a job that no host could read is not added', async () => {
    const needs = Array.from({ length: 33 }, (_, index) => ['--needs', `l${index}`]).flat();
    const long = Array.from({ length: 32 }, (_, index) => [
      '--needs',
      `l${index}${'x'.repeat(60)}=${'y'.repeat(60)}`,
    ]);
    for (const argv of [needs, long.flat(), ['--cwd', `/${'x'.repeat(5000)}`]]) {
      const { stderr } = await machine.cli('queue', 'add', ...argv, '--', 'true');
      expect(stderr).toContain('no host could read this job');
    }
    const label = await machine.cli('queue', 'add', '--label', 'x'.repeat(300), '--', 'true');
    expect(label.stderr).toContain('queue add: label must be at most 200 characters long');
    const empty = await machine.cli('queue', 'add', '--', '');
    expect(empty.stderr).toContain(
      'no command given\nhint: give it after --: unstuck queue add -- make test',
    );
    expect((await machine.json('queue', 'ls', '--json')).jobs).toEqual([]);
  });

  it('arguments that are not UTF-8 reach the host unchanged', async () => {
    const out = path.join(store, 'bytes');
    const line = `exec "$0" "$1" queue add --json -- sh -c 'printf %s "$1" >"$2"' sh "$(printf 'a\\377')" "$2"`;
    const { stdout } = await promisify(execFile)('sh', ['-c', line, process.execPath, cliPath, out], {
      env: machine.env,
    });
    await machine.json('queue', 'wait', JSON.parse(stdout).job, '--json');
    expect(fs.readFileSync(out)).toEqual(Buffer.from([0x61, 0xff]));
  });

  it('a member that joins again with other settings is not gone meanwhile', async () => {
    const connection = await connect({ servers: nats.url });
    const operations: string[] = [];
    connection.subscribe('$KV.unstuck_default_members.one', {
      callback: (_, message) => void operations.push(message.headers?.get('KV-Operation') || 'PUT'),
    });
    await connection.flush();
    const { code } = await machine.cli(
      'join',
      nats.url,
      '--name',
      'one',
      '--accept',
      'start',
      '--label',
      'new',
    );
    // What was published before has arrived after this.
    await connection.flush();
    await connection.close();
    expect(code).toBe(0);
    expect(new Set(operations)).toEqual(new Set(['PUT']));
  });

  it('a wait for a job ends with its time, with an interrupt, and when the job is gone', async () => {
    const add = async () => {
      const added = await machine.json('queue', 'add', '--json', '--needs', 'nowhere', '--', 'true');
      return `${added.job}`;
    };
    const job = await add();
    for (const time of ['0', '1ms']) {
      const late = await machine.cli('queue', 'wait', job, '--timeout', time, '--json');
      expect(late.code).toBe(124);
      expect(JSON.parse(late.stdout)).toMatchObject({ job, status: 'queued' });
    }
    expect((await machine.cli('queue', 'log', job)).stderr).toContain('has no output: it is queued');
    const waiting = async () => {
      const id = await add();
      const argv = [cliPath, 'queue', 'wait', id];
      const child = spawn(process.execPath, argv, { env: machine.env, stdio: 'ignore' });
      const [ports] = nats.ports;
      await until(async () => {
        const answer = await fetch(`http://127.0.0.1:${ports?.monitor}/jsz?consumers=1&config=1`);
        return (await answer.text()).includes(`$KV.unstuck_default_jobs.${id}`) || child.exitCode !== null;
      }, 'it waits');
      return { id, child, ended: once(child, 'exit') };
    };
    const stopped = await waiting();
    stopped.child.kill('SIGINT');
    expect(await stopped.ended).toEqual([130, null]);
    const left = await waiting();
    const connection = await connect({ servers: nats.url });
    const gone = headers();
    gone.set('KV-Operation', 'DEL');
    connection.publish(`$KV.unstuck_default_jobs.${left.id}`, '', { headers: gone });
    await connection.flush();
    await connection.close();
    expect(await left.ended).toEqual([1, null]);
  });

  it('a wait for a job outlasts a restart of the server', async () => {
    const go = path.join(store, 'go');
    const script = `while [ ! -e ${go} ]; do sleep 0.1; done; exit 5`;
    const { job } = await machine.json('queue', 'add', '--json', '--', 'sh', '-c', script);
    const argv = [cliPath, 'queue', 'wait', job];
    const waiting = spawn(process.execPath, argv, { env: machine.env, stdio: 'ignore' });
    const ended = once(waiting, 'exit');
    const [ports] = nats.ports;
    await until(async () => {
      const answer = await fetch(`http://127.0.0.1:${ports?.monitor}/jsz?consumers=1&config=1`);
      return (await answer.text()).includes(`$KV.unstuck_default_jobs.${job}`) || waiting.exitCode !== null;
    }, 'it waits');
    await nats.kill(0);
    await nats.start(0);
    fs.writeFileSync(go, '');
    expect(await ended).toEqual([5, null]);
  });

  it('a member stays when the file of its membership cannot be read', async () => {
    const file = path.join(machine.path, 'fleet.json');
    const env = { ...machine.env, UNSTUCK_FLEET_URL: nats.url };
    const seen = async () => {
      const { hosts } = JSON.parse((await runCli(['fleet', 'hosts', '--json'], env)).stdout);
      return hosts[0]?.seen as string | undefined;
    };
    await askUntil(seen, (found) => found !== undefined);
    fs.renameSync(file, `${file}.kept`);
    fs.symlinkSync(file, file);
    const before = await seen();
    expect(before).toBeDefined();
    await until(async () => {
      const now = await seen();
      return now !== undefined && now !== before;
    }, 'it has renewed its key since');
    fs.renameSync(`${file}.kept`, file);
  });
});
