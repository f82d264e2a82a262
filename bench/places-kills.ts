import { crashRun, type Victim, victims } from '../test/registry/place/crash.js';
import { startSshHost } from '../test/support/ssh-host.js';
import type { Goal, Table } from './report.js';

/** Kills of everything between a run on a host and its log here, compared with an exact model. */
export async function benchPlacesKills(wanted: number): Promise<{ tables: Table[]; goals: Goal[] }> {
  const host = await startSshHost();
  try {
    return await crashes(host, wanted);
  } finally {
    await host.close();
  }
}

async function crashes(
  host: Awaited<ReturnType<typeof startSshHost>>,
  wanted: number,
): Promise<{ tables: Table[]; goals: Goal[] }> {
  const kills = Object.fromEntries(victims.map((victim) => [victim, 0])) as Record<Victim, number>;
  const faults: string[] = [];
  const total = () => Object.values(kills).reduce((sum, count) => sum + count, 0);
  let runs = 0;
  while (total() < wanted) {
    const order = Array.from(
      { length: 10 },
      () => victims[Math.floor(Math.random() * victims.length)] as Victim,
    );
    const result = await crashRun(host, order, { lines: 1200, inputs: 20, pauseMs: 200 });
    runs += 1;
    for (const victim of victims) kills[victim] += result.kills[victim];
    faults.push(...result.faults);
    console.error(`${total()} kills in ${runs} runs, ${faults.length} faults ${result.faults.join('; ')}`);
  }
  return {
    tables: [
      {
        title: 'Kills while a run on a host prints and is written to',
        note: `${runs} runs; every line, every input and every exit code was compared with the model.`,
        head: ['killed', 'times'],
        rows: [
          ...victims.map((victim) => [victim, String(kills[victim])]),
          ['lost or doubled', String(faults.length)],
        ],
      },
    ],
    goals: [],
  };
}
