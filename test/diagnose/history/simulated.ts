import type { PastRun } from '../../../src/model/run/past-run.js';

/** Numbers from 0 to 1, the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Five minutes: so long that the minimum of a minute does not help. */
const typicalMs = 300_000;

type Draw = (random: () => number) => number;

const normal: Draw = (random) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** How durations and silences of commands may be distributed; 1 is typical. */
export const distributions: Record<string, Draw> = {
  'normal, 10 %': (random) => Math.max(0.3, 1 + 0.1 * normal(random)),
  'log-normal, 0.5': (random) => Math.exp(0.5 * normal(random)),
  'log-normal, 1': (random) => Math.exp(normal(random)),
  exponential: (random) => -Math.log(1 - random()),
  'Pareto, 3': (random) => (1 - random()) ** (-1 / 3),
  'Pareto, 1.5 (heavy-tailed)': (random) => (1 - random()) ** (-1 / 1.5),
  'two modes, 5 times longer in 1 of 4': (random) =>
    (random() < 0.25 ? 5 : 1) * Math.max(0.3, 1 + 0.1 * normal(random)),
};

/** Values of one history. */
export function simulate(name: string, seed: number, count: number): number[] {
  const draw = distributions[name] as Draw;
  const random = randomOf(seed * 7919 + 17);
  return Array.from({ length: count }, () => typicalMs * draw(random));
}

/** A successful run with this duration and longest silence. */
export function simulatedRun(durationMs: number, longestSilenceMs = durationMs / 10, number = 0): PastRun {
  return {
    id: `run_${number.toString(16).padStart(12, '0')}`,
    startedAt: new Date(1_700_000_000_000 + number * 3_600_000).toISOString(),
    durationMs,
    longestSilenceMs,
    lines: 10,
    outcome: 'exited',
    exit: { code: 0, signal: null, provenance: 'recorded' },
    cpuPercent: 50,
    residentBytes: 1e6,
    phases: [],
    etaError: null,
  };
}
