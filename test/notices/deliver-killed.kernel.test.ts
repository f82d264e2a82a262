import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useProgram } from '../run/input/programs.js';
import { until } from '../support/background-home.js';
import { DeliverHome } from './deliver-home.js';

const daemon = useProgram(new URL('./deliver.program.ts', import.meta.url));

let home: DeliverHome;

beforeEach(() => {
  home = new DeliverHome();
  home.directory();
});

afterEach(() => home.end());

const seqsIn = (name: string) => home.lines(name).map((line) => JSON.parse(line).seq as number);

describe('kill -9 between match and delivery still delivers', () => {
  it('during the first delivery: the next daemon waits for the end of its command, and delivers all', async () => {
    const first = daemon.start(home.path, 'cat >>got; exec sleep 1000', '1', '3');
    await until(() => seqsIn('got').length === 1, 'the first delivery');
    await until(() => home.lines('notices.jsonl').length === 3, 'all three are in the log');
    // Written down after its command has begun.
    const recorded = () => {
      const file = home.directory().file('delivered.json');
      return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')).running : null;
    };
    await until(() => recorded() !== null, 'which process it is');
    first.kill('SIGKILL');
    await once(first, 'close');
    const running = recorded();
    expect(running.pid).toBeGreaterThan(1);
    const next = daemon.start(home.path, 'cat >>got', '3', '4');
    // It waits for what was left behind, so that two never run at once.
    await delay(500);
    expect(seqsIn('got')).toEqual([1]);
    process.kill(running.pid, 'SIGKILL');
    await once(next, 'close');
    expect(next.exitCode).toBe(0);
    expect(seqsIn('got')).toEqual([1, 1, 2, 3, 4]);
  });

  it('again and again: each arrives, in order, and repeats only what was under way', async () => {
    const count = 40;
    // None ends before the first kill, however late that is.
    const command = 'until [ -e go ]; do sleep 0.05; done; sleep 0.01; cat >>got';
    let kills = 0;
    for (let ended = false; !ended; ) {
      const child = daemon.start(home.path, command, '1', String(count));
      const closed = once(child, 'close');
      await Promise.race([once(child.stdout ?? child, 'data'), closed]);
      // Ever later: on a busy machine a delivery may take longer than this.
      await Promise.race([delay(30 + Math.random() * (150 + 20 * kills)), closed]);
      if (child.exitCode === null) kills += Number(child.kill('SIGKILL'));
      fs.writeFileSync(path.join(home.path, 'go'), '');
      await closed;
      ended = child.exitCode === 0;
    }
    const got = seqsIn('got');
    expect([...new Set(got)]).toEqual(Array.from({ length: count }, (_, at) => at + 1));
    expect(got).toEqual([...got].sort((a, b) => a - b));
    expect(got.length).toBeLessThanOrEqual(count + kills);
    expect(kills).toBeGreaterThan(0);
    expect(home.delivered().command.seq).toBe(count);
    expect(fs.readdirSync(path.join(home.path, 'runs')).length).toBe(1);
  });
});
