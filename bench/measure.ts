export interface Timing {
  minMs: number;
  medianMs: number;
}

export type Contender = () => unknown;

export function timing(samples: number[]): Timing {
  const sorted = samples.toSorted((a, b) => a - b);
  return { minMs: sorted[0] ?? Number.NaN, medianMs: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN };
}

export function mean(samples: number[]): number {
  return samples.reduce((sum, sample) => sum + sample, 0) / samples.length;
}

/** Of each round the difference, of these the median: what slows down a whole round cancels out. */
export function medianOver(samples: number[], base: number[]): number {
  return timing(samples.map((sample, round) => sample - (base[round] ?? Number.NaN))).medianMs;
}

/**
 * Runs all contenders once per round, each round beginning with another one: whatever else the machine does
 * meanwhile hits all of them alike. One round before is not counted. Gives what each took, round by round.
 */
export async function takeTurns<Name extends string>(
  contenders: Record<Name, Contender>,
  rounds: number,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(contenders) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>;
  for (let round = -1; round < rounds; round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(turn + round + names.length) % names.length] as Name;
      const beganMs = performance.now();
      await contenders[name]();
      const tookMs = performance.now() - beganMs;
      if (round >= 0) samples[name].push(tookMs);
    }
  }
  return samples;
}

/** The same, summed up. */
export async function compare<Name extends string>(
  contenders: Record<Name, Contender>,
  rounds: number,
): Promise<Record<Name, Timing>> {
  const samples = Object.entries<number[]>(await takeTurns(contenders, rounds));
  return Object.fromEntries(samples.map(([name, all]) => [name, timing(all)])) as Record<Name, Timing>;
}
