import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ownHome, until } from '../../support/background-home.js';
import { runCli } from '../../support/run-cli.js';

/** 4 s, and never silent for much longer than 500 ms, also on a busy machine. */
const talks = ['sh', '-c', 'for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.5; done'];
const [leastMs, mostMs] = [400, 2500];

/** The longest silence in the report of a run in the background. */
async function silenceOf(options: { sample?: string }): Promise<number | null> {
  const home = ownHome();
  const { id } = await home.start(talks, { options });
  await home.call('wait', { id, until: ['exit'], timeoutS: 60 });
  const report = path.join(home.path, 'runs', id, 'report.json');
  await until(() => fs.existsSync(report), 'its report');
  return JSON.parse(fs.readFileSync(report, 'utf8')).longestSilenceMs;
}

describe.concurrent('the longest silence of a command that prints every half second', () => {
  test('is half a second in the foreground, where output is seen as it comes', async () => {
    const home = ownHome();
    const file = path.join(home.path, 'report.json');
    await runCli(['run', '--report', file, '--', ...talks], home.env);
    const { longestSilenceMs } = JSON.parse(fs.readFileSync(file, 'utf8'));
    expect(longestSilenceMs).toBeGreaterThan(leastMs);
    expect(longestSilenceMs).toBeLessThan(mostMs);
  });

  test('is the same in the background, where its log is polled often enough', async () => {
    const silence = await silenceOf({ sample: '100ms' });
    expect(silence).toBeGreaterThan(leastMs);
    expect(silence).toBeLessThan(mostMs);
  });

  test('is not known in the background, where its log is polled every five seconds', async () => {
    expect(await silenceOf({})).toBeNull();
  });
});
