import http from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { socketAddress } from '../../src/control/client/socket-address.js';
import { noticeKinds } from '../../src/model/notice.js';
import { runStatuses } from '../../src/model/run/background.js';
import { healths } from '../../src/model/run/health.js';
import { BackgroundHome, until } from '../support/background-home.js';
import { compile } from '../support/compile.js';

let home: BackgroundHome;

beforeAll(() => {
  home = new BackgroundHome();
});

afterAll(() => home.end());

async function scrape(): Promise<{ type: string | undefined; body: string }> {
  const address = socketAddress(home.path);
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    http.get({ socketPath: address.path, path: '/metrics', agent: false }, resolve).on('error', reject);
  }).finally(() => address.close());
  expect(response.statusCode).toBe(200);
  return { type: response.headers['content-type'], body: await text(response) };
}

/** By the letter of text format 0.0.4, and of what Prometheus wants of names: HELP, TYPE, then all of its samples. */
function parse(body: string): Map<string, number> {
  expect(body.endsWith('\n')).toBe(true);
  const samples = new Map<string, number>();
  const seen = new Set<string>();
  let family = { name: '', type: '' };
  let help = '';
  for (const line of body.slice(0, -1).split('\n')) {
    const [, helped, typed, type] =
      /^# (?:HELP ([a-z_]+) \S.*|TYPE ([a-z_]+) (gauge|counter|histogram))$/.exec(line) ?? [];
    if (helped !== undefined) {
      help = helped;
      continue;
    }
    if (typed !== undefined && type !== undefined) {
      expect([help, seen.has(typed)]).toEqual([typed, false]);
      expect(typed.endsWith('_total')).toBe(type === 'counter');
      seen.add(typed);
      family = { name: typed, type };
      continue;
    }
    const sample = /^([a-z_]+)(\{[a-z]+="(?:[^"\\\n]|\\[\\"n])*"\})? (\d+(?:\.\d+)?(?:e-?\d+)?)$/.exec(line);
    expect(sample, `no sample: ${line}`).not.toBe(null);
    const [key, name, value] = [`${sample?.[1]}${sample?.[2] ?? ''}`, sample?.[1], Number(sample?.[3])];
    const suffix = family.type === 'histogram' ? /_(bucket|sum|count)$/ : /$/;
    expect([name?.replace(suffix, ''), samples.has(key)]).toEqual([family.name, false]);
    samples.set(key, value);
  }
  return samples;
}

describe('GET /metrics of the daemon', () => {
  test('runs by status and health, notices, snapshots and the cost of the daemon, as Prometheus reads them', async () => {
    const beganS = Date.now() / 1000;
    const quick = { sample: '50ms', activityWindow: '200ms' };
    const start = (script: string, notify: object) =>
      home.start(['sh', '-c', script], { options: quick, notify, label: 'a "secret" label' });
    const { id: sleeper } = await start('sleep 1000', { patterns: ['x'] });
    const { id } = await start('exit 3', { events: ['exit'] });
    await home.call('wait', { id });
    await start(`exec ${await compile('own-pipe-read')}`, { events: ['stuck'] });
    await until(async () => (await home.call('notices', {})).notices.length === 2, 'the end and the stop');
    const { type, body } = await scrape();
    expect(type).toBe('text/plain; version=0.0.4; charset=utf-8');
    const first = parse(body);
    expect(Object.fromEntries(first)).toMatchObject({
      'unstuck_runs{status="running"}': 2,
      'unstuck_runs{status="exited"}': 1,
      'unstuck_runs{status="lost"}': 0,
      'unstuck_runs_health{health="healthy"}': 1,
      unstuck_runs_set_aside: 0,
      'unstuck_notices_total{kind="exit"}': 1,
      'unstuck_notices_total{kind="stuck"}': 1,
      'unstuck_notices_total{kind="match"}': 0,
      unstuck_notices_suppressed_total: 0,
      unstuck_deliveries_pending: 0,
      unstuck_orphans_killed_total: 0,
      unstuck_runs_started_total: 3,
      'unstuck_runs_ended_total{outcome="exited"}': 1,
      'unstuck_runs_ended_total{outcome="timeout"}': 0,
      unstuck_runs_stuck_total: expect.any(Number),
      'unstuck_run_duration_seconds_bucket{le="+Inf"}': 1,
      unstuck_run_duration_seconds_count: 1,
    });
    // On a busy machine it may be reported without a proof.
    const stuck = ['likely-stuck', 'confirmed-stuck'].map((health) =>
      first.get(`unstuck_runs_health{health="${health}"}`),
    );
    expect(stuck.toSorted()).toEqual([0, 1]);
    const labelled = (name: string) => [...first.keys()].filter((key) => key.startsWith(`${name}{`));
    expect(labelled('unstuck_runs')).toHaveLength(runStatuses.length);
    expect(labelled('unstuck_runs_health')).toHaveLength(healths.length);
    expect(labelled('unstuck_notices_total')).toHaveLength(noticeKinds.length);
    expect(labelled('unstuck_info')).toHaveLength(1);
    expect(body).not.toContain('secret');

    const number = (samples: Map<string, number>, name: string) => samples.get(name) ?? Number.NaN;
    const nowS = Date.now() / 1000;
    const snapshots = number(first, 'unstuck_snapshots_total');
    expect(snapshots).toBeGreaterThan(0);
    expect(Number.isInteger(snapshots)).toBe(true);
    expect(number(first, 'unstuck_snapshot_cpu_seconds_total')).toBeGreaterThan(0);
    expect(number(first, 'process_resident_memory_bytes')).toBeGreaterThan(10e6);
    expect(number(first, 'process_start_time_seconds')).toBeGreaterThan(beganS - 5);
    expect(number(first, 'process_start_time_seconds')).toBeLessThan(nowS);
    const second = parse((await scrape()).body);
    expect([...second.keys()]).toEqual([...first.keys()]);
    const cpu = 'process_cpu_seconds_total';
    expect(number(second, cpu)).toBeGreaterThan(number(first, cpu));

    // A wait for trouble makes the daemon take a snapshot.
    await home.call('wait', { id: sleeper, until: ['stuck'], timeoutS: 0.1 });
    const hasTaken = async () =>
      number(parse((await scrape()).body), 'unstuck_snapshots_total') >
      number(second, 'unstuck_snapshots_total');
    await until(hasTaken, 'one more snapshot');
  });
});
