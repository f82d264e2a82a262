import { test as property } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { daemonSettings } from '../../src/config/daemon-settings.js';
import { capOf, toGo } from '../../src/registry/retention.js';

const minute = 60_000;
const diskBytesMax = 1000;
const run = (name: string, status: string, endedMs: number, keptBytes = 0) => ({
  name,
  status,
  endedMs,
  keptBytes,
});

describe('what is kept', () => {
  test('64 ended runs, for 30 minutes', () => {
    expect(daemonSettings({})).toMatchObject({ keepMax: 64, keepMs: 30 * minute });
  });

  test('the oldest ended runs are removed first, and runs that ended too long ago', () => {
    const runs = [run('new', 'exited', 100), run('old', 'lost', 50), run('older', 'exited', 10)];
    expect(toGo(runs, { keepMax: 2, keepMs: 1000, diskBytesMax }, 200).map(({ name }) => name)).toEqual([
      'older',
    ]);
    expect(toGo(runs, { keepMax: 5, keepMs: 1000, diskBytesMax }, 1060).map(({ name }) => name)).toEqual([
      'older',
      'old',
    ]);
  });

  test('beyond the disk cap the oldest ended runs are removed, as many as needed; running runs count, and share the cap', () => {
    const runs = [run('old', 'exited', 1, 600), run('new', 'exited', 2, 500), run('live', 'running', 0, 400)];
    const limits = { keepMax: 5, keepMs: 1000, diskBytesMax };
    expect(toGo(runs, limits, 10).map(({ name }) => name)).toEqual(['old']);
    expect(capOf(900, limits, 1)).toBe(900);
    expect(capOf(900, limits, 4)).toBe(250);
    expect(capOf(0, limits, 1)).toBe(1000);
  });

  property.prop([
    fc.array(
      fc.record({
        status: fc.constantFrom('running', 'exited', 'lost'),
        endedMs: fc.nat(1000),
        keptBytes: fc.nat(9),
      }),
      { maxLength: 100 },
    ),
    fc.nat(20),
    fc.nat(1000),
    fc.nat(2000),
  ])(
    'no running run is removed, no more ended runs stay than may, and the oldest are removed first',
    (runs, keepMax, keepMs, nowMs) => {
      const gone = new Set(toGo(runs, { keepMax, keepMs, diskBytesMax }, nowMs));
      const kept = runs.filter((one) => !gone.has(one));
      expect([...gone].every(({ status }) => status !== 'running')).toBe(true);
      const ended = kept.filter(({ status }) => status !== 'running');
      expect(ended.length).toBeLessThanOrEqual(keepMax);
      expect(ended.every(({ endedMs }) => nowMs - endedMs <= keepMs)).toBe(true);
      // No run is removed while an older run stays.
      const oldestKept = Math.min(...ended.map(({ endedMs }) => endedMs));
      expect([...gone].every(({ endedMs }) => endedMs <= oldestKept)).toBe(true);
    },
  );
});
