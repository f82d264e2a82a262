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

/**
 * Runs all contenders once per round, each round beginning with another one: whatever else the machine does
 * meanwhile hits all of them alike. One round before is not counted.
 */
export async function compare<Name extends string>(
  contenders: Record<Name, Contender>,
  rounds: number,
): Promise<Record<Name, Timing>> {
  const names = Object.keys(contenders) as Name[];
  const samples = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = -1; round < rounds; round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(turn + round + names.length) % names.length] as Name;
      const beganMs = performance.now();
      await contenders[name]();
      const tookMs = performance.now() - beganMs;
      if (round >= 0) samples.get(name)?.push(tookMs);
    }
  }
  return Object.fromEntries(names.map((name) => [name, timing(samples.get(name) ?? [])])) as Record<
    Name,
    Timing
  >;
}
