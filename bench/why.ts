import { join } from 'node:path';
import { why } from '../src/control/why.js';
import { compare, type Timing } from './measure.js';
import { type HerdKind, startHerd, startThreads } from './processes.js';
import { type Goal, ms, type Table } from './report.js';
import { runToEnd } from './run-to-end.js';

const gapMs = 80;
const treeMsMax = 180;
/** The largest of each kind that is measured. */
const growthMsMax = { processes: 400, threads: 350 };

interface Case {
  name: string;
  timings: { command: Timing; library: Timing };
}

async function measure(root: string, pid: number, rounds: number): Promise<Case['timings']> {
  const unstuck = join(root, 'unstuck');
  return compare(
    {
      command: () => runToEnd(unstuck, ['why', String(pid)]),
      library: () => why(pid),
    },
    rounds,
  );
}

function row({ name, timings: { command, library } }: Case): string[] {
  return [name, ms(command.minMs), ms(command.medianMs), ms(library.minMs), ms(library.medianMs)];
}

const head = ['', 'command, min', 'median', 'in process, min', 'median'];

async function measureHerd(root: string, kind: HerdKind, processes: number, rounds: number): Promise<Case> {
  const herd = await startHerd(kind, processes);
  try {
    return {
      name: `${processes.toLocaleString('en')} processes, ${kind}`,
      timings: await measure(root, herd.pid, rounds),
    };
  } finally {
    await herd.stop();
  }
}

async function measureCrowded(root: string, rounds: number): Promise<Case> {
  const crowd = await startHerd('in pipes', 1000);
  try {
    const { timings } = await measureHerd(root, 'in pipes', 50, rounds);
    return { name: '50 processes, in pipes, beside 1,000 others', timings };
  } finally {
    await crowd.stop();
  }
}

function goalOf({ name, timings: { command } }: Case, mostMs: number): Goal {
  return {
    what: `why, ${name}`,
    target: `under ${mostMs} ms`,
    measured: ms(command.medianMs),
    met: command.medianMs < mostMs,
  };
}

/** The whole answer for a tree of fifty. */
export async function benchWhy(root: string, rounds: number): Promise<{ tables: Table[]; goals: Goal[] }> {
  const cases: Case[] = [];
  for (const kind of ['sleeping', 'in pipes'] as const) cases.push(await measureHerd(root, kind, 50, rounds));
  cases.push(await measureCrowded(root, rounds));
  return {
    tables: [
      {
        title: 'unstuck why, a tree of 50',
        note: `From start to exit as a command, and as a function in a process that runs already. At least ${gapMs} ms of it is the gap between the beginnings of the two looks; the first look is made within it.`,
        head,
        rows: cases.map(row),
      },
    ],
    goals: cases.map((measured) => goalOf(measured, treeMsMax)),
  };
}

/** How the cost grows. */
export async function benchGrowth(root: string, rounds: number): Promise<{ tables: Table[]; goals: Goal[] }> {
  const rows: string[][] = [];
  const goals: Goal[] = [];
  const add = (measured: Case, mostMs: number | null) => {
    rows.push(row(measured));
    if (mostMs !== null) goals.push(goalOf(measured, mostMs));
  };
  for (const processes of [10, 50, 200, 1000]) {
    const measured = await measureHerd(root, 'sleeping', processes, rounds);
    add(measured, processes === 1000 ? growthMsMax.processes : null);
  }
  for (const threads of [100, 2000]) {
    const one = await startThreads(threads);
    const name = `1 process, ${threads.toLocaleString('en')} threads`;
    if (one === null) {
      rows.push([name, 'no python3', '', '', '']);
      continue;
    }
    try {
      const measured = { name, timings: await measure(root, one.pid, rounds) };
      add(measured, threads === 2000 ? growthMsMax.threads : null);
    } finally {
      await one.stop();
    }
  }
  return { tables: [{ title: 'unstuck why, growth', head, rows }], goals };
}
