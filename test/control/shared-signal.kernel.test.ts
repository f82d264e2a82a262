import { afterEach, beforeEach, expect, test } from 'vitest';
import { run } from '../../src/control/run-command.js';
import { why } from '../../src/control/why.js';
import { BackgroundHome } from '../support/background-home.js';

let home: BackgroundHome;
const warnings: string[] = [];
const note = ({ message }: Error) => void warnings.push(message);

beforeEach(() => {
  home = new BackgroundHome();
  warnings.length = 0;
  process.on('warning', note);
});

afterEach(async () => {
  process.off('warning', note);
  await home.end();
});

test('the same AbortSignal for many calls at once ends all of them, without a warning of Node', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const { id, pid } = await home.start(['sleep', '1000']);
  const calls = Array.from({ length: 11 }, () => [
    home.call('wait', { id, timeoutS: 60, until: ['exit'] }, { signal }),
    why(pid ?? -1, { signal, gapMs: 60_000 }),
    run(['sleep', '1000'], { signal, keepLog: 'never', grace: '200ms' }),
  ]).flat();
  const ended = Promise.allSettled(calls);
  await home.call('list', {});
  controller.abort();
  for (const { status, ...result } of await ended) {
    if (status === 'fulfilled') expect(result).toMatchObject({ value: { outcome: 'interrupted' } });
  }
  expect(warnings).toEqual([]);
});
