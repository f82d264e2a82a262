import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NatsServers } from '../../../bench/fleet/nats.js';
import { Agent } from '../../mcp/agent.js';
import { askUntil } from '../../support/ask-until.js';
import { until } from '../../support/background-home.js';
import { findTool } from '../../support/find-tool.js';
import { FleetMachine } from '../../support/fleet-machine.js';
import { removeDirectory } from '../../support/remove-directory.js';
import { cliPath, runCli } from '../../support/run-cli.js';

const server = findTool('nats-server');

describe.skipIf(server === null)('a fleet on a real NATS server', () => {
  const store = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-nats-'));
  const machines = { build: new FleetMachine(), gpu: new FleetMachine(), laptop: new FleetMachine() };
  const { build, gpu, laptop } = machines;
  let nats: NatsServers;

  beforeAll(async () => {
    nats = await NatsServers.begin(path.join(store, 'nats'));
    const { url } = nats;
    const joins = [
      build.cli('join', url, '--name', 'build', '--accept', 'start,kill,input', '--slots', '1'),
      gpu.cli('join', url, '--name', 'gpu', '--accept', 'start', '--label', 'gpu', '--slots', '2'),
      laptop.cli('join', url, '--name', 'laptop'),
    ];
    for (const { code, stderr } of await Promise.all(joins)) expect(code, stderr).toBe(0);
  });

  afterAll(async () => {
    await Promise.all(Object.values(machines).map((machine) => machine.end()));
    await nats?.end();
    await removeDirectory(store);
  });

  it('runs of all machines are listed, and any verb takes HOST/ID', async () => {
    const { id } = await laptop.json(
      'start',
      '--host',
      'build',
      '--label',
      'api',
      '--json',
      '--',
      'sleep',
      '1000',
    );
    expect(id).toMatch(/^build\/run_/);
    const { hosts, runs } = await laptop.json('ps', '--fleet', '--json');
    expect(hosts.map(({ name }: { name: string }) => name)).toEqual(['build', 'gpu', 'laptop']);
    expect(runs.find((run: { host: string }) => run.host === 'build').id).toBe(id);
    expect((await gpu.json('why', 'build/api', '--json')).verdict.kind).toBeDefined();
    expect((await gpu.json('kill', id, '--json')).status).toBe('killed');
    expect((await laptop.json('wait', id, '--json')).exit.signal).toBe('SIGTERM');
  });

  it('the built library has the same answers', async () => {
    const library = pathToFileURL(path.resolve(cliPath, '../index.js')).href;
    const script = `import { fleet } from '${library}';
      const names = (await fleet.hosts()).map(({ name }) => name);
      const refused = await fleet.start('laptop', { command: ['true'] }).catch(({ code }) => code);
      for await (const _ of fleet.events({ consumer: 'library', signal: AbortSignal.abort() }));
      console.log(JSON.stringify({ names, refused }));`;
    const argv = ['--input-type=module', '-e', script];
    const { stdout } = await promisify(execFile)(process.execPath, argv, { env: laptop.env });
    expect(JSON.parse(stdout)).toEqual({ names: ['build', 'gpu', 'laptop'], refused: 'not-allowed' });
  });

  it('a member that joined with defaults can be looked at and nothing else', async () => {
    const { id } = await laptop.start(['sleep', '1000'], { input: 'pipe' });
    expect((await build.json('log', `laptop/${id}`, '--json')).status).toBe('running');
    for (const argv of [
      ['kill', `laptop/${id}`],
      ['submit', `laptop/${id}`, 'x'],
      ['start', '--host', 'laptop', '--', 'true'],
    ]) {
      const { code, stderr } = await build.cli(...argv);
      expect(code, argv.join(' ')).toBe(125);
      expect(stderr).toMatch(/laptop accepts no .* from other machines/);
    }
    expect((await laptop.call('list', { status: 'running' })).runs.map((run) => run.id)).toContain(id);
  });

  it('every byte of a run on another machine arrives, also beyond the size of a message', async () => {
    const bytes = 3_000_000;
    const script = `head -c ${bytes} /dev/zero | tr '\\0' x`;
    const { id } = await laptop.json('start', '--host', 'build', '--json', '--', 'sh', '-c', script);
    const { stdout } = await laptop.cli('log', id, '--follow');
    expect(stdout.length).toBe(bytes);
    expect(stdout).toMatch(/^x+$/);
  });

  it('a job runs once, on a host with the needed label', async () => {
    const mark = path.join(store, 'mark');
    const { job } = await laptop.json(
      ...['queue', 'add', '--needs', 'gpu', '--json', '--', 'sh', '-c', `echo run >>${mark}; exit 3`],
    );
    const waited = await laptop.json('queue', 'wait', job, '--json');
    expect(waited).toMatchObject({ job, host: 'gpu', status: 'ended', exit: { code: 3 } });
    expect(waited.id).toMatch(/^run_/);
    expect(fs.readFileSync(mark, 'utf8')).toBe('run\n');
  });

  it('a job goes on when the daemon of its host is killed, and its end is reported once', async () => {
    const mark = path.join(store, 'once');
    const script = `echo began >>${mark}; while [ ! -e ${mark}.go ]; do sleep 0.1; done; exit 4`;
    const { job } = await laptop.json('queue', 'add', '--needs', 'gpu', '--json', '--', 'sh', '-c', script);
    await until(() => fs.existsSync(mark), 'the job began');
    await gpu.killDaemon();
    fs.writeFileSync(`${mark}.go`, '');
    await gpu.call('list', {});
    const waited = await laptop.json('queue', 'wait', job, '--json');
    expect(waited).toMatchObject({ host: 'gpu', status: 'ended', exit: { code: 4 }, attempt: 1 });
    expect(fs.readFileSync(mark, 'utf8')).toBe('began\n');
  });

  const add = async (queue: string, script: string, ...flags: string[]) => {
    const argv = ['queue', 'add', '--queue', queue, ...flags, '--json', '--', 'sh', '-c', script];
    return (await laptop.json(...argv)).job as string;
  };

  it('jobs of a queue with a higher priority are taken first', async () => {
    const mark = path.join(store, 'first');
    const blocked = (at: number) => `touch ${mark}.${at}; while [ ! -e ${mark}.go${at} ]; do sleep 0.1; done`;
    await laptop.json('queue', 'set', 'urgent', '--priority', '9', '--json');
    const blockers = await Promise.all([1, 2].map((at) => add('default', blocked(at), '--needs', 'gpu')));
    await until(() => [1, 2].every((at) => fs.existsSync(`${mark}.${at}`)), 'both slots are used');
    const low = await add('default', `echo low >>${mark}`, '--needs', 'gpu');
    const high = await add('urgent', `echo high >>${mark}`, '--needs', 'gpu');
    fs.writeFileSync(`${mark}.go1`, '');
    for (const job of [high, low]) await laptop.json('queue', 'wait', job, '--json');
    fs.writeFileSync(`${mark}.go2`, '');
    for (const job of blockers) await laptop.json('queue', 'wait', job, '--json');
    expect(fs.readFileSync(mark, 'utf8')).toBe('high\nlow\n');
  });

  it('a queue with a limit runs no more jobs at once', async () => {
    const mark = path.join(store, 'order');
    await laptop.json('queue', 'set', 'one', '--limit', '1', '--priority', '5', '--json');
    const settings = await laptop.json('queue', 'set', 'one', '--json');
    expect(settings).toMatchObject({ queue: 'one', priority: 5, limit: 1, running: 0 });
    // Two hosts have three free slots: without the limit two jobs would overlap.
    const alone = `mkdir ${mark}.lock && sleep 0.3 && rmdir ${mark}.lock`;
    const jobs = await Promise.all([add('one', alone), add('one', alone), add('one', alone)]);
    const ends = await Promise.all(jobs.map((job) => laptop.json('queue', 'wait', job, '--json')));
    expect(ends.map(({ exit }) => exit?.code)).toEqual([0, 0, 0]);
    await until(
      async () => (await laptop.json('queue', 'set', 'one', '--json')).running === 0,
      'it is released',
    );
  });

  it('doctor --fleet names what does not work', async () => {
    const { job } = await laptop.json('queue', 'add', '--needs', 'moon', '--json', '--', 'true');
    const { capabilities } = await laptop.json('doctor', '--fleet', '--json');
    const found = Object.fromEntries(
      capabilities.map(({ name, finding }: { name: string; finding: string }) => [name, finding]),
    );
    expect(found.queue).toContain(`1 jobs that no host can take: ${job} (moon)`);
    for (const host of ['build', 'gpu', 'laptop']) expect(found[host]).toMatch(/^answers in \d+ ms/);
    await laptop.json('queue', 'cancel', job, '--json');
  });

  it('a job that waits is cancelled before it starts', async () => {
    const { job } = await laptop.json('queue', 'add', '--needs', 'moon', '--json', '--', 'true');
    expect((await laptop.json('queue', 'cancel', job, '--json')).status).toBe('cancelled');
    expect((await laptop.cli('queue', 'wait', job)).code).toBe(125);
  });

  it('ends and changes of health reach a durable consumer once', async () => {
    const events: string[] = [];
    const child = spawn(process.execPath, [cliPath, 'fleet', 'events', '--consumer', 'test', '--json'], {
      env: laptop.env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    createInterface(child.stdout).on('line', (line) => events.push(line));
    try {
      await until(async () => {
        await build.start(['true'], { label: 'seen' });
        return events.some((line) => JSON.parse(line).label === 'seen');
      }, 'an event came');
      const ends = events.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'ended');
      expect(new Set(ends.map(({ runId }) => runId)).size).toBe(ends.length);
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('the tools of an agent reach a machine by its name, and are refused like any other client', async () => {
    const agent = await Agent.connect(laptop);
    try {
      const { id } = await agent.ask('start', { command: 'sleep 1000', host: 'build', label: 'by-agent' });
      expect(id).toMatch(/^build\/run_/);
      const { runs } = await agent.ask('process', { action: 'list', host: '*' });
      expect(runs.map((run: { id: string }) => run.id)).toContain(id);
      const why = () => agent.ask('why', { id });
      expect((await askUntil(why, ({ verdict }) => verdict.kind === 'timer')).verdict.kind).toBe('timer');
      const killed = await agent.ask('process', { action: 'kill', host: 'build', id: 'by-agent' });
      expect(killed).toMatchObject({ id });
      const refused = await agent.fail('start', { command: 'true', host: 'laptop' });
      expect(refused).toMatchObject({ code: 'not-allowed' });
    } finally {
      await agent.close();
    }
  });

  it('a host that is away is named with the time it was seen, a server that is away in words', async () => {
    const { code, stderr } = await laptop.cli('log', 'mars/run_1234');
    expect(code).toBe(1);
    expect(stderr).toContain('no host mars in the fleet default');
    const missing = await laptop.cli('log', 'build/nothing');
    expect(missing).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no run "nothing"[\s\S]*list the runs: unstuck ps --fleet/),
    });
    const blank = await laptop.cli('queue', 'add', '--label', ' ', '--', 'true');
    expect(blank).toMatchObject({ code: 125, stderr: expect.stringContaining('the label " " is blank') });
    const elsewhere = { ...laptop.env, UNSTUCK_FLEET_URL: 'nats://127.0.0.1:1' };
    const refused = await runCli(['ps', '--fleet'], elsewhere);
    expect(refused.code).toBe(125);
    expect(refused.stderr).toContain('cannot reach the NATS server at nats://127.0.0.1:1');
  });

  it('the server comes back with its jobs, and members join again by themselves', async () => {
    await nats.kill(0);
    await nats.start(0);
    await until(async () => {
      const { hosts } = await laptop.json('ps', '--fleet', '--json');
      return hosts?.length === 3 && hosts.every(({ away }: { away?: string }) => away === undefined);
    }, 'all members are back');
    const { job } = await laptop.json('queue', 'add', '--json', '--', 'true');
    expect(await laptop.json('queue', 'wait', job, '--json')).toMatchObject({
      status: 'ended',
      exit: { code: 0 },
    });
  });

  it('leave takes a machine out of the list at once', async () => {
    expect((await gpu.json('leave', '--json')).left).toBe(true);
    const { hosts } = await laptop.json('fleet', 'hosts', '--json');
    expect(hosts.map(({ name }: { name: string }) => name)).not.toContain('gpu');
  });
});
