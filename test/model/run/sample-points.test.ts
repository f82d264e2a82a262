import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import {
  columnsOf,
  finePoints,
  pointsMax,
  type SamplePoint,
  thinPoints,
} from '../../../src/model/run/sample-points.js';

const pointsOf = (count: number, cpu: (index: number) => number): SamplePoint[] =>
  Array.from({ length: count }, (_, index) => ({
    atMs: 5000 * (index + 1),
    forMs: 5000,
    cpuPercent: cpu(index),
    residentBytes: index,
    ioBytes: index % 7 === 0 ? null : 10,
    outputBytes: 100 * index,
  }));

test.prop([fc.integer({ min: 0, max: 20_000 })], { numRuns: 30 })(
  'any number of samples is kept within the limit, the newest as they are, and no time is lost',
  (count) => {
    const points = pointsOf(count, (index) => index % 100);
    const thin = thinPoints(points);
    const sum = (list: readonly SamplePoint[], of: (point: SamplePoint) => number) =>
      list.reduce((total, point) => total + of(point), 0);
    expect(thin.length).toBeLessThanOrEqual(pointsMax);
    expect(thin.slice(-finePoints)).toEqual(points.slice(-finePoints));
    expect(sum(thin, ({ forMs }) => forMs)).toBe(sum(points, ({ forMs }) => forMs));
    expect(sum(thin, ({ ioBytes }) => ioBytes ?? 0)).toBe(sum(points, ({ ioBytes }) => ioBytes ?? 0));
    expect(columnsOf(thin).atMs).toEqual([...columnsOf(thin).atMs].sort((a, b) => a - b));
  },
);

test('merged points have the mean CPU and the most memory', () => {
  const thin = thinPoints(pointsOf(pointsMax + 1, (index) => (index % 2 === 0 ? 100 : 0)));
  expect(thin[0]).toMatchObject({ forMs: 10_000, cpuPercent: 50, residentBytes: 1, atMs: 10_000 });
});
