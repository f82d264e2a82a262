import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { daemonSettings } from '../../../src/config/daemon-settings.js';
import type { Notice, NoticeWishes } from '../../../src/model/notice.js';
import { Registry } from '../../../src/supervise/background/registry.js';
import { NoticeDesk } from '../../../src/supervise/notices/notice-desk.js';
import { RunNotifier } from '../../../src/supervise/notices/run-notifier.js';
import { until } from '../../support/background-home.js';

const windowMs = 300;

let home: string;
let registry: Registry;
let desk: NoticeDesk;

beforeEach(async () => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-notifier-'));
  fs.mkdirSync(path.join(home, 'desk'));
  registry = await Registry.open(home, daemonSettings({}));
  desk = new NoticeDesk(path.join(home, 'desk'));
});

afterEach(async () => {
  for (const run of registry.select({ status: 'running' })) await run.kill('end', 0);
  await registry.close();
  await desk.close();
  fs.rmSync(home, { recursive: true, force: true });
});

async function watched(script: string, wishes: Partial<NoticeWishes>) {
  const run = await registry.start(
    {
      command: ['sh', '-c', script],
      cwd: home,
      env: {},
      inherit: { PATH: process.env.PATH ?? '' },
      envDeny: [],
      tags: [],
      input: 'none',
      options: { sample: '50ms', activityWindow: '200ms', linger: '50ms' },
    },
    script,
  );
  const none = { events: [], patterns: [], everyMs: 0, command: null, webhook: null };
  return { run, notifier: new RunNotifier(run, { ...none, ...wishes }, desk, windowMs) };
}

async function told(): Promise<Notice[]> {
  const request = { consumer: 'c', limit: 1000, timeoutS: 0 };
  return (await desk.read(request, new AbortController().signal, () => false)).notices;
}

const kinds = async () => (await told()).map(({ kind }) => kind);

describe('E2, E3: a run that matches too often', () => {
  test('E3: three windows with drops in a row switch the patterns off, and its end is told instead', async () => {
    await watched('i=0; until [ -e go ]; do i=$((i+1)); echo needle $i; sleep 0.01; done; exit 5', {
      patterns: ['needle'],
    });
    await until(async () => (await kinds()).includes('patterns-off'), 'the patterns are off');
    fs.writeFileSync(path.join(home, 'go'), '');
    await until(async () => (await kinds()).includes('exit'), 'the end');
    const all = await told();
    expect(all.map(({ kind }) => kind)).toEqual(['match', 'match', 'match', 'patterns-off', 'exit']);
    expect(all.at(-1)?.exit?.code).toBe(5);
    for (const { output } of all) {
      expect(output.length).toBeLessThanOrEqual(2000);
    }
    for (const { output, kind } of all) {
      if (kind !== 'exit') expect(output.split('\n').length).toBeLessThanOrEqual(20);
    }
  });

  test('E3: a window without drops forgives', async () => {
    const { run } = await watched('for n in 1 2 3 4 5; do echo needle $n; sleep 0.5; done', {
      patterns: ['needle'],
    });
    await until(() => run.exit !== null, 'its end');
    await until(async () => (await told()).length === 5, 'all five');
    const all = await told();
    expect(all.map(({ kind, suppressed }) => `${kind} ${suppressed}`)).toEqual(Array(5).fill('match 0'));
  });

  test('E2: of a million matching lines none is lost from the count', async () => {
    const { run } = await watched('seq -f "needle %.0f" 1000000', { patterns: ['needle'] });
    await until(() => run.exit !== null, 'its end', 30_000);
    const count = (notices: Notice[]) =>
      notices.reduce((sum, { text }) => sum + Number(/^(\d+) lines? match/.exec(text)?.[1] ?? 0), 0);
    await until(async () => count(await told()) === 1_000_000, 'all are counted', 30_000);
    expect((await told()).length).toBeLessThan(20);
  });

  test('E5: what is printed after the end is not looked at', async () => {
    const { run } = await watched('(sleep 1; echo needle) & exit 0', { patterns: ['needle'] });
    await until(() => run.exit !== null, 'its end');
    await until(() => fs.readFileSync(run.log.path, 'utf8').includes('needle\n'), 'it is printed');
    await until(() => !run.isOutputHeld, 'nobody prints any more');
    expect(await told()).toEqual([]);
  });
});
