import { join } from 'node:path';
import { compare } from './measure.js';
import { startHerd } from './processes.js';
import { type Goal, ms, type Table } from './report.js';
import { runToEnd } from './run-to-end.js';

const overNodeMsMax = 60;
const gapMs = 80;

/** What Unstuck adds to the start of Node itself. */
export async function benchStartUp(
  root: string,
  rounds: number,
): Promise<{ tables: Table[]; goals: Goal[] }> {
  const cli = join(root, 'dist/cli.cjs');
  const node = process.execPath;
  const herd = await startHerd('sleeping', 2);
  try {
    const timings = await compare(
      {
        'node -e 0': () => runToEnd(node, ['-e', '0']),
        'node dist/cli.cjs --version': () => runToEnd(node, [cli, '--version']),
        './unstuck --version': () => runToEnd(join(root, 'unstuck'), ['--version']),
        'node dist/cli.cjs why PID': () => runToEnd(node, [cli, 'why', String(herd.pid)]),
      },
      rounds,
    );
    const bare = timings['node -e 0'];
    const rest = (name: keyof typeof timings) => (name === 'node dist/cli.cjs why PID' ? gapMs : 0);
    const over = (name: keyof typeof timings) => timings[name].medianMs - bare.medianMs - rest(name);
    const names = Object.keys(timings) as (keyof typeof timings)[];
    return {
      tables: [
        {
          title: 'Start-up',
          note: `From start to exit. Of \`why\` the gap of ${gapMs} ms between its two looks is taken off in the last column.`,
          head: ['', 'min', 'median', 'over node -e 0'],
          rows: names.map((name) => [
            name,
            ms(timings[name].minMs),
            ms(timings[name].medianMs),
            ms(over(name)),
          ]),
        },
      ],
      goals: names.slice(1).map((name) => ({
        what: `start-up, ${name}`,
        target: `at most ${overNodeMsMax} ms over node -e 0`,
        measured: ms(over(name)),
        met: over(name) <= overNodeMsMax,
      })),
    };
  } finally {
    await herd.stop();
  }
}
