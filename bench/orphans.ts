import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findOrphans } from '../src/control/orphans/orphans.js';
import { timing } from './measure.js';
import { startHerd } from './processes.js';
import { type Goal, ms, type Table } from './report.js';

const processes = 2000;
const warmUps = 3;
const goalMs = 100;

async function measure(rounds: number): Promise<number[]> {
  const home = mkdtempSync(join(tmpdir(), 'unstuck-bench-orphans-'));
  try {
    const samples: number[] = [];
    for (let round = -warmUps; round < rounds; round += 1) {
      const beganMs = performance.now();
      await findOrphans({ home, projectDir: home });
      if (round >= 0) samples.push(performance.now() - beganMs);
    }
    return samples;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** A search for orphans on a machine with many processes. */
export async function benchOrphans(rounds: number): Promise<{ tables: Table[]; goals: Goal[] }> {
  const herd = await startHerd('sleeping', processes);
  try {
    const { minMs, medianMs } = timing(await measure(rounds));
    return {
      tables: [
        {
          title: `Looking for orphans among ${processes.toLocaleString('en')} processes`,
          note: 'Everybody is read anew: who it is, who its parents are, and which run its environment names.',
          head: ['', 'min', 'median'],
          rows: [['findOrphans', ms(minMs), ms(medianMs)]],
        },
      ],
      goals: [
        {
          what: `a search for orphans among ${processes.toLocaleString('en')} processes`,
          target: `under ${goalMs} ms`,
          measured: ms(medianMs),
          met: medianMs < goalMs,
        },
      ],
    };
  } finally {
    await herd.stop();
  }
}
