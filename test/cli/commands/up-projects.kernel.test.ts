import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '../../support/background-home.js';
import { findTool } from '../../support/find-tool.js';
import { freePort } from '../../support/free-port.js';
import { type BackgroundHome, useBackgroundHome } from './background-home.js';

const background = useBackgroundHome();
const missing = ['redis-server', 'redis-cli', 'memcached', 'nginx'].filter((name) => findTool(name) === null);

interface ListedRun {
  id: string;
  label: string;
  pid: number;
  startedAt: string;
}

const running = async (home: BackgroundHome): Promise<ListedRun[]> =>
  (await home.json(['list', '--status', 'running'])).runs;

function writeFiles(home: BackgroundHome, files: Record<string, string>): string {
  const dir = path.join(home.path, 'project');
  fs.mkdirSync(dir);
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(dir, name), text);
  return path.join(dir, Object.keys(files)[0] ?? '');
}

/** Stops everything: nothing is left, and everything ended when it was asked to. */
async function down(home: BackgroundHome, file: string): Promise<void> {
  const pids = (await running(home)).map(({ pid }) => pid);
  // To end takes long where CPUs are scarce.
  const { runs } = await home.json(['down', '--grace', '60s', file]);
  for (const { receipt } of runs) {
    expect(receipt.survivors).toEqual([]);
    expect(receipt.processes.flatMap(({ signals }: { signals: string[] }) => signals)).not.toContain(
      'SIGKILL',
    );
  }
  expect(await running(home)).toEqual([]);
  expect(pids.filter((pid) => fs.existsSync(`/proc/${pid}/exe`))).toEqual([]);
}

const nginxConfig = (port: number) => `
pid nginx.pid; error_log stderr; events {}
http {
  access_log /dev/stdout;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`).join(' ')}
  server { listen 127.0.0.1:${port}; location / { return 200 "shop\\n"; } }
}`;

const nginx = `${findTool('nginx')} -e stderr -p . -c nginx.conf -g "daemon off;"`;

const worker = (port: number) =>
  `sh -c 'echo waiting; while true; do redis-cli -p ${port} --raw blpop jobs 0 || sleep 0.1; done'`;

describe.skipIf(missing.length > 0)('unstuck up of real projects', { concurrent: true }, () => {
  it('nginx, a worker and redis: redis is killed and comes back, the worker goes on', async () => {
    const { home } = background;
    const [db, web] = [await freePort(), await freePort()];
    const redis = `redis-server --port ${db} --bind 127.0.0.1 --save '' --appendonly no`;
    const file = writeFiles(home, {
      'unstuck-up.yaml': `
services:
  web: { command: '${nginx.replaceAll("'", "''")}', after: [db, worker], ready: { port: ${web} } }
  worker: { command: "${worker(db).replaceAll('"', '\\"')}", after: [db], ready: { match: waiting } }
  db: { command: "${redis}", ready: { port: ${db} }, restart: always, restartDelay: 100ms }
`,
      'nginx.conf': nginxConfig(web),
    });
    const { services } = await home.json(['up', file]);
    expect(services.map(({ name }: { name: string }) => name)).toEqual(['db', 'worker', 'web']);
    const order = (await running(home)).sort((a, b) => a.startedAt.localeCompare(b.startedAt));
    expect(order.map(({ label }) => label)).toEqual(['db', 'worker', 'web']);
    expect(await (await fetch(`http://127.0.0.1:${web}/`)).text()).toBe('shop\n');
    process.kill(order[0]?.pid ?? 0, 'SIGKILL');
    const back = async () =>
      (await running(home)).some(({ label, id }) => label === 'db' && id !== order[0]?.id);
    await until(back, 'redis is back');
    await until(async () => {
      const push = await home.run(['run', '--', 'redis-cli', '-p', String(db), 'rpush', 'jobs', 'job-1']);
      return push.stdout.trim() !== '' && !push.stdout.includes('refused');
    }, 'redis takes a job');
    await until(async () => (await home.run(['log', 'worker'])).stdout.includes('job-1'), 'the job is done');
    await down(home, file);
  });

  it('a process-compose file with memcached: up and the daemon are killed, up again completes it', async () => {
    const { home } = background;
    const [cache, web] = [await freePort(), await freePort()];
    const file = writeFiles(home, {
      'process-compose.yaml': `
version: "0.5"
processes:
  cache:
    command: memcached -u nobody -l 127.0.0.1 -p ${cache}
    readiness_probe: { http_get: { host: 127.0.0.1, port: ${cache} } }
  migrate:
    command: until [ -e ../go ]; do sleep 0.05; done; echo migrated
    depends_on: { cache: { condition: process_healthy } }
  web:
    command: python3 -m http.server ${web} --bind 127.0.0.1
    depends_on: { migrate: { condition: process_completed_successfully } }
    readiness_probe: { http_get: { port: ${web} } }
`,
    });
    const first = home.open(['up', file]);
    await until(async () => (await running(home)).some(({ label }) => label === 'migrate'), 'migrate runs');
    first.child.kill('SIGKILL');
    process.kill(await home.daemonPid(), 'SIGKILL');
    const second = home.open(['up', '-d', file]);
    // The list of what is up already was read before this line.
    await second.until(() => second.stderr.includes('cache'));
    fs.writeFileSync(path.join(home.path, 'go'), '');
    expect(await second.done).toBe(0);
    expect(second.stderr.replaceAll(/\(\w+\)/g, '(ID)')).toMatch(
      /^cache \(ID\) is up already\nmigrate \(ID\) is up already\nweb \(ID\) is ready: its port is open\n/m,
    );
    expect((await running(home)).map(({ label }) => label).sort()).toEqual(['cache', 'web']);
    await down(home, file);
  });

  it('nginx that listens on another port than it should is named, with why, and nothing is left', async () => {
    const { home } = background;
    const [db, web, wrong] = [await freePort(), await freePort(), await freePort()];
    const file = writeFiles(home, {
      'unstuck-up.json': JSON.stringify({
        services: {
          db: { command: `redis-server --port ${db} --bind 127.0.0.1 --save ''`, ready: { port: db } },
          web: { command: nginx, after: ['db'], ready: { port: web }, readyTimeout: '2s' },
          late: { command: 'touch ../late', after: ['web'] },
        },
      }),
      'nginx.conf': nginxConfig(wrong),
    });
    const { code, stderr } = await home.run(['up', file]);
    expect({ code, stderr }).toMatchObject({
      code: 125,
      stderr: expect.stringMatching(/web is not ready after 2 s: .+/),
    });
    expect(await running(home)).toEqual([]);
    expect(fs.existsSync(path.join(home.path, 'late'))).toBe(false);
  });
});
