import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { compare } from '../../bench/measure.js';
import { startHerd } from '../../bench/processes.js';
import { runToEnd } from '../../bench/run-to-end.js';
import { why } from '../../src/control/why.js';

// Minima: what else the machine does meanwhile is not our cost.
const cli = resolve(import.meta.dirname, '../../dist/cli.js');
const node = process.execPath;

test('G1: an answer about 50 processes takes under 300 ms', async () => {
  const herd = await startHerd('in pipes', 50);
  try {
    const tookMs: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const answer = await why(herd.pid);
      expect(answer.processes.filter(({ inTree }) => inTree)).toHaveLength(50);
      tookMs.push(answer.tookMs);
    }
    expect(Math.min(...tookMs)).toBeLessThan(300);
  } finally {
    await herd.stop();
  }
});

test('J4: the command starts at most 60 ms later than Node itself', async () => {
  const { bare, unstuck } = await compare(
    { bare: () => runToEnd(node, ['-e', '0']), unstuck: () => runToEnd(node, [cli, '--version']) },
    9,
  );
  expect(unstuck.minMs - bare.minMs).toBeLessThan(60);
});
