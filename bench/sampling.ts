import pidusage from 'pidusage';
import psList from 'ps-list';
import systeminformation from 'systeminformation';
import { Sampler } from '../src/probe/linux/sampler.js';
import { compare } from './measure.js';
import { startHerd } from './processes.js';
import { type Goal, ms, type Table, times } from './report.js';

const processes = 1000;

const gives = {
  unstuck: 'state, CPU, I/O, memory, threads',
  'unstuck, everything read anew': 'state, CPU, I/O, memory, threads',
  'unstuck, no file kept open': 'state, CPU, I/O, memory, threads',
  pidusage: 'CPU, memory',
  'ps-list': 'CPU, memory, command; all of the machine',
  systeminformation: 'state, CPU, memory, command; all of the machine',
};

/** One tick over a thousand sleeping processes, against what others offer for it. */
export async function benchSampling(rounds: number): Promise<{ tables: Table[]; goals: Goal[] }> {
  const herd = await startHerd('sleeping', processes + 1);
  const idle = new Sampler();
  const whole = new Sampler({ always: true });
  const byPath = new Sampler({ keptFilesMax: 0, always: true });
  try {
    for (const sampler of [idle, whole, byPath]) for (const pid of herd.children) sampler.add(pid);
    const timings = await compare(
      {
        unstuck: () => idle.sweep(),
        'unstuck, everything read anew': () => whole.sweep(),
        'unstuck, no file kept open': () => byPath.sweep(),
        // By default it answers from memory for two seconds; nobody would sample for that.
        pidusage: () => pidusage(herd.children, { maxage: 0 }),
        'ps-list': () => psList(),
        systeminformation: () => systeminformation.processes(),
      } satisfies Record<keyof typeof gives, () => unknown>,
      rounds,
    );
    const ours = timings.unstuck.medianMs;
    const whole_ = timings['unstuck, everything read anew'].medianMs;
    const ratio = (name: keyof typeof timings) => timings[name].medianMs / ours;
    const goal = (name: keyof typeof timings, least: number): Goal => ({
      what: `a tick against ${name}`,
      target: `${least}x cheaper`,
      measured: `${times(ratio(name))} (${times(timings[name].medianMs / whole_)} with everything read anew)`,
      met: ratio(name) >= least,
    });
    const names = Object.keys(gives) as (keyof typeof gives)[];
    return {
      tables: [
        {
          title: `One tick over ${processes.toLocaleString('en')} sleeping processes`,
          note: 'Unstuck reads stat, io and schedstat; of a process whose only thread did not run since the last tick, schedstat alone, which proves it.',
          head: ['', 'min', 'median', 'to unstuck', 'to all anew', 'gives'],
          rows: names.map((name) => [
            name,
            ms(timings[name].minMs),
            ms(timings[name].medianMs),
            times(ratio(name)),
            times(timings[name].medianMs / whole_),
            gives[name],
          ]),
        },
      ],
      goals: [
        {
          what: 'a tick over 1,000 processes',
          target: 'under 10 ms',
          measured: `${ms(ours)} (${ms(whole_)} with everything read anew)`,
          met: ours < 10,
        },
        goal('pidusage', 5),
        goal('ps-list', 15),
        goal('systeminformation', 100),
      ],
    };
  } finally {
    for (const sampler of [idle, whole, byPath]) sampler.close();
    await herd.stop();
  }
}
