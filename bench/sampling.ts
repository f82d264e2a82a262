import { type ChildProcess, fork } from 'node:child_process';
import { type ContenderName, contenderNames } from './contender.js';
import { mean, type Timing, timing } from './measure.js';
import { startHerd } from './processes.js';
import { type Goal, ms, type Table, times } from './report.js';

const processes = 1000;
/** A supervisor ticks for hours: its code is warm, and so is that of the others. */
const warmUps = 12;

const gives: Record<ContenderName, string> = {
  unstuck: 'state, CPU, I/O, memory, threads',
  'unstuck, everything read anew': 'the same',
  'unstuck, no file kept open': 'the same',
  pidusage: 'CPU, memory',
  'ps-list': 'CPU, memory, command; of the whole machine',
  systeminformation: 'state, CPU, memory, command; of the whole machine',
};

interface Tick {
  wallMs: number;
  cpuMs: number;
}

interface Result {
  wall: Timing;
  cpuMs: number;
}

function message(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error(`${child.spawnargs.slice(-2, -1)} ended early`));
    child.once('exit', ended);
    child.once('message', (answer) => {
      child.removeListener('exit', ended);
      resolve(answer);
    });
  });
}

async function startContender(name: ContenderName, pids: number[]): Promise<ChildProcess> {
  const child = fork(process.argv[1] ?? '', ['--contend', name, pids.join(',')], { stdio: 'inherit' });
  await message(child);
  return child;
}

async function tick(child: ChildProcess): Promise<Tick> {
  const answer = message(child);
  child.send('tick');
  return (await answer) as Tick;
}

/** All take their turn in every round, so that whatever else the machine does hits them alike. */
async function measureAll(pids: number[], rounds: number): Promise<Map<ContenderName, Result>> {
  const children = new Map<ContenderName, ChildProcess>();
  const ticks = new Map<ContenderName, Tick[]>(contenderNames.map((name) => [name, []]));
  try {
    for (const name of contenderNames) children.set(name, await startContender(name, pids));
    for (let round = -warmUps; round < rounds; round += 1) {
      for (const [name, child] of children) {
        const result = await tick(child);
        if (round >= 0) ticks.get(name)?.push(result);
      }
    }
  } finally {
    for (const child of children.values()) child.disconnect();
  }
  return new Map(
    [...ticks].map(([name, all]) => [
      name,
      { wall: timing(all.map(({ wallMs }) => wallMs)), cpuMs: mean(all.map((one) => one.cpuMs)) },
    ]),
  );
}

function goal(name: ContenderName, least: number, ratio: (name: ContenderName) => number): Goal {
  return {
    what: `CPU of a tick against ${name}`,
    target: `${least}x cheaper`,
    measured: times(ratio(name)),
    met: ratio(name) >= least,
  };
}

/** One tick over a thousand sleeping processes, against what others offer for it. */
export async function benchSampling(rounds: number): Promise<{ tables: Table[]; goals: Goal[] }> {
  const herd = await startHerd('sleeping', processes + 1);
  try {
    const results = await measureAll(herd.children, rounds);
    const of = (name: ContenderName) => results.get(name) as Result;
    const ours = of('unstuck');
    const wallRatio = (name: ContenderName) => of(name).wall.medianMs / ours.wall.medianMs;
    // Cheaper means CPU time: who spreads the work over threads is quicker by it, not cheaper.
    const cpuRatio = (name: ContenderName) => of(name).cpuMs / ours.cpuMs;
    return {
      tables: [
        {
          title: `One tick over ${processes.toLocaleString('en')} sleeping processes`,
          note: 'Unstuck reads stat, io and schedstat. If the only thread of a process did not run since the last tick, schedstat proves it and io is not read again; nor is stat, for up to 12 ticks, unless CPUs are scarce. With "everything read anew" both are.',
          head: ['', 'min', 'median', 'ratio', 'CPU', 'ratio', 'gives'],
          rows: contenderNames.map((name) => [
            name,
            ms(of(name).wall.minMs),
            ms(of(name).wall.medianMs),
            times(wallRatio(name)),
            ms(of(name).cpuMs),
            times(cpuRatio(name)),
            gives[name],
          ]),
        },
      ],
      goals: [
        {
          what: 'a tick over 1,000 processes',
          target: 'under 10 ms',
          measured: ms(ours.wall.medianMs),
          met: ours.wall.medianMs < 10,
        },
        goal('pidusage', 5, cpuRatio),
        goal('ps-list', 15, cpuRatio),
        goal('systeminformation', 100, cpuRatio),
      ],
    };
  } finally {
    await herd.stop();
  }
}
