import { expect, test } from 'vitest';
import { renderAnswer } from '../../src/cli/render-answer.js';
import { renderHeartbeat } from '../../src/cli/render-heartbeat.js';
import type { Heartbeat } from '../../src/model/run.js';
import { why } from '../supervise/report/sample-report.js';

const beat: Heartbeat = {
  label: 'test',
  elapsedMs: 60_000,
  lastOutputMs: 5000,
  line: 'running',
  lineStream: null,
  pid: 40268,
  programs: [{ name: 'node', count: 1 }],
  cpuPercent: 0,
  phase: null,
  progress: null,
  health: 'healthy',
  armInMs: 0,
  same: 1,
  samePulses: 3,
  log: null,
};

test('same counts up to what makes a stall, and no further', () => {
  expect(renderHeartbeat(beat)).toContain(' same=1/3 ');
  expect(renderHeartbeat({ ...beat, same: 7 })).toContain(' same=3/3 ');
});

test('a last line from stderr is marked, from stdout it is not', () => {
  expect(renderHeartbeat({ ...beat, lineStream: 'stderr' })).toContain(" line(stderr)='running' ");
  expect(renderHeartbeat({ ...beat, lineStream: 'stdout' })).toContain(" line='running' ");
});

test('how long nothing has moved is said when it is worth saying', () => {
  expect(renderAnswer(why, false)).toMatch(/^npm \(4371\) test {3}nothing has moved for 6 min 12 s\n/);
  expect(renderAnswer({ ...why, stillMs: 0 }, false)).toMatch(/^npm \(4371\) test\n/);
});
