import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { nextReading } from '../../../../src/probe/linux/snapshot/next-reading.js';

function block(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}

it('all callers before the table is read share a single reading', async () => {
  const [first, second] = await Promise.all([nextReading(), nextReading()]);
  expect(second).toBe(first);
  expect(first.row(process.pid)).toBe(first.row(process.pid));
  expect(first.listeners).toBe(first.listeners);
});

it('what is given was read after it was asked for', async () => {
  const asked = nextReading();
  const child = spawn('sleep', ['1000'], { stdio: 'ignore' });
  const pid = child.pid ?? 0;
  expect((await asked).pids).toContain(pid);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect((await nextReading()).pids).not.toContain(pid);
});

it('a caller that comes while results are handed out gets a later reading', async () => {
  const child = nextReading().then(() => spawn('sleep', ['1000'], { stdio: 'ignore' }));
  const [next, second] = await Promise.all([child.then(nextReading), nextReading()]);
  const { pid } = await child;
  expect(next.pids).toContain(pid);
  expect(second.pids).not.toContain(pid);
  (await child).kill('SIGKILL');
});

it('other work gets its turn between callers that share a reading', async () => {
  let looks = 0;
  let most = 0;
  let isOver = false;
  const other = (before: number) => {
    most = Math.max(most, looks - before);
    const seen = looks;
    if (!isOver) setImmediate(() => other(seen));
  };
  setImmediate(() => other(looks));
  const readings = await Promise.all(
    Array.from({ length: 30 }, async () => {
      const reading = await nextReading();
      looks += 1;
      return reading;
    }),
  );
  isOver = true;
  expect(new Set(readings).size).toBe(1);
  expect(most).toBeLessThanOrEqual(2);
});

it('a reading is shared however long the callers before take', async () => {
  const [first, second] = await Promise.all([
    nextReading().then((reading) => {
      block(600);
      return reading;
    }),
    nextReading(),
  ]);
  expect(second).toBe(first);
});
