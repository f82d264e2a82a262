import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type BackgroundHome, ownHome, until } from '../../support/background-home.js';
import { compile } from '../../support/compile.js';

const notYet = /not judged (?:again|yet) since the daemon was restarted$/;
const troubles = ['needs-input', 'stuck'];

const runsOf = async (home: BackgroundHome) => (await home.call('list', {})).runs;

/** The label of each run in trouble, with what it is. */
async function troubleOf(home: BackgroundHome): Promise<string[]> {
  const runs = await runsOf(home);
  const inTrouble = runs.filter(({ health, needsInput }) => needsInput || health !== 'healthy');
  return inTrouble.map(({ label, needsInput }) => `${label} ${needsInput ? 'needs-input' : 'stuck'}`).sort();
}

const noticesOf = (home: BackgroundHome): string[] =>
  fs
    .readFileSync(path.join(home.path, 'notices.jsonl'), 'utf8')
    .split('\n')
    .flatMap((line) => JSON.parse(line || '{}').key ?? []);

async function startTrouble(home: BackgroundHome): Promise<void> {
  const options = { sample: '1s', activityWindow: '5s' };
  const notify = { events: ['needs-input', 'stuck'] as const } as never;
  const asks = ['sh', '-c', 'printf "name? "; read x; sleep 1000'];
  await home.start(asks, { label: 'asks', input: 'pipe', options, notify });
  await home.start([await compile('own-pipe-read')], { label: 'hangs', options, notify });
  const all = ['asks needs-input', 'hangs stuck'];
  await until(async () => String(await troubleOf(home)) === String(all), 'both are in trouble');
}

describe.concurrent('a daemon that was killed', () => {
  test('what was stuck or asking still is, until it is judged again, and no notice comes twice', async () => {
    const home = ownHome();
    await startTrouble(home);
    for (let n = 0; n < 2; n += 1) {
      await home.killDaemon();
      expect(await troubleOf(home)).toEqual(['asks needs-input', 'hangs stuck']);
      for (const { why } of await runsOf(home)) expect(why).toMatch(notYet);
      const isJudged = async () => (await runsOf(home)).every(({ why }) => !notYet.test(why));
      while (!(await isJudged())) {
        expect(await troubleOf(home)).toHaveLength(2);
        await delay(50);
      }
      expect(await troubleOf(home)).toEqual(['asks needs-input', 'hangs stuck']);
    }
    const keys = noticesOf(home);
    for (const trouble of troubles)
      expect(keys.filter((key) => key.includes(trouble))).toEqual([expect.stringMatching(`${trouble}:1$`)]);
  });

  test('what was answered, or has gone on meanwhile, is not in trouble for long', async () => {
    const home = ownHome();
    await startTrouble(home);
    const asks = (await runsOf(home)).find(({ label }) => label === 'asks');
    await home.call('submit', { id: asks?.id ?? '', data: 'me' });
    await until(async () => (await troubleOf(home)).length === 1, 'the answer arrived');
    await home.killDaemon();
    expect(await troubleOf(home)).toEqual(['hangs stuck']);
  });

  test('output that had stalled is not reported again before more is printed', async () => {
    const home = ownHome();
    const options = { sample: '100ms', heartbeat: '200ms', armAfter: '0s', sameLinePulses: 3 };
    const notify = { events: ['stalled'] as const } as never;
    await home.start(['sh', '-c', 'echo a; sleep 1000'], { options, notify });
    const told = () => (fs.existsSync(path.join(home.path, 'notices.jsonl')) ? noticesOf(home).length : 0);
    await until(() => told() === 1, 'it has stalled');
    await home.killDaemon();
    await home.call('list', {});
    // Longer than the stall took to be found the first time.
    await delay(3000);
    expect(noticesOf(home)).toEqual([expect.stringMatching(/stalled:1$/)]);
  });

  test('a run that was well is said to be not judged yet', async () => {
    const home = ownHome();
    await home.start(['sleep', '1000'], { label: 'well', options: { sample: '1m' } });
    await home.killDaemon();
    const [run] = await runsOf(home);
    expect(run).toMatchObject({ health: 'healthy', why: expect.stringMatching(notYet) });
  });
});
