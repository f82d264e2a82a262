import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { until } from '../../../support/background-home.js';
import { useBackgroundHome } from '../background-home.js';

const background = useBackgroundHome();

/** Prints a line, and another one when the file is there. */
const twoLines = (name: string, gate: string) => [
  'sh',
  '-c',
  `echo ${name} one; while [ ! -e ${gate} ]; do sleep 0.05; done; echo ${name} two`,
];

describe.concurrent('the output of several runs', () => {
  it('is printed together, in the order of time, also since a time and under a new daemon', async () => {
    const { home } = background;
    const [first, second] = [`${home.path}/gate1`, `${home.path}/gate2`];
    await home.start('--label', 'api', '--task', 'both', '--', ...twoLines('api', first));
    await home.start('--label', 'job', '--task', 'both', '--', ...twoLines('job', second));
    const polled = async (label: string) => (await home.json(['log', label])).totalLines;
    const havePrinted = async () => (await polled('api')) + (await polled('job')) === 2;
    await until(havePrinted, 'both have printed a line');
    // A time is only kept some seconds after the one before, which may be of a look at the empty log (log-times.ts).
    const seenMs = performance.now();
    await until(
      async () => performance.now() - seenMs > 4500 && (await havePrinted()),
      'another time is kept',
    );
    const since = new Date().toISOString();
    fs.writeFileSync(second, '');
    await until(async () => (await polled('job')) === 2, 'job has printed its second line');
    expect((await home.run(['log', 'api', 'job', '--since', since])).stdout).toBe('job | job two\n');
    fs.writeFileSync(first, '');
    expect((await home.run(['wait', 'api', 'job'])).code).toBe(0);
    process.kill(await home.daemonPid(), 'SIGKILL');
    expect(await home.run(['log', 'job', '--since', since])).toMatchObject({ stdout: 'job two\n' });
    const all = await home.run(['log', '--task', 'both']);
    expect(all.stdout.split('\n').filter((line) => line.startsWith('api'))).toEqual([
      'api | api one',
      'api | api two',
    ]);
    expect((await home.run(['log', 'api', 'job', '-n', '1'])).stdout).toBe('job | job two\napi | api two\n');
    const { runs } = await home.json(['log', 'api', 'job', '--since', '1h']);
    expect(runs).toMatchObject([
      { label: 'api', lines: ['api one', 'api two'], times: [expect.any(Number), expect.any(Number)] },
      { label: 'job', lines: ['job one', 'job two'] },
    ]);
  });

  it('is followed until all have ended', async () => {
    const { home } = background;
    const gate = `${home.path}/gate`;
    await home.start('--label', 'api', '--', ...twoLines('api', gate));
    await home.start('--label', 'worker', '--', ...twoLines('worker', gate));
    const session = home.open(['log', '-f', 'api', 'worker']);
    await session.until(() => session.stdout.split('\n').length === 3);
    fs.writeFileSync(gate, '');
    expect(await session.done).toBe(0);
    expect(session.stdout.split('\n').sort()).toEqual([
      '',
      'api    | api one',
      'api    | api two',
      'worker | worker one',
      'worker | worker two',
    ]);
  });

  it.each([
    [['log'], 'no run was named'],
    [['log', 'a', '--since', 'soon'], 'neither a duration nor a time'],
    [['log', 'a', 'b', '--offset', '1'], '--offset is for one run'],
    [['log', '--task', 'none'], 'no run with task none'],
  ])('%j: an error says what to type', async (args, message) => {
    const { code, stderr } = await background.home.run(args);
    expect({ code: code !== 0, stderr }).toMatchObject({
      code: true,
      stderr: expect.stringContaining(message),
    });
  });
});
