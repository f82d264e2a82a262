import { join } from 'node:path';
import { medianOver, takeTurns, timing } from './measure.js';
import { type Goal, ms, type Table } from './report.js';
import { runToEnd } from './run-to-end.js';
import { withScratch } from './scratch.js';

const overNodeMsMax = 60;
const base = 'node -e 0';
const ours = ['node dist/cli.cjs run -- true', './unstuck run -- true'] as const;

/** What it costs to run a command that does nothing, from start to exit. */
export function benchRunStart(root: string, rounds: number): Promise<{ tables: Table[]; goals: Goal[] }> {
  const node = process.execPath;
  const peer = (name: string) => join(root, 'bench/peers', name);
  return withScratch(root, async (home) => {
    const env = { UNSTUCK_HOME: home };
    const samples = await takeTurns(
      {
        [base]: () => runToEnd(node, ['-e', '0']),
        [ours[0]]: () => runToEnd(node, [join(root, 'dist/cli.cjs'), 'run', '--', 'true'], env),
        [ours[1]]: () => runToEnd(join(root, 'unstuck'), ['run', '--', 'true'], env),
        'timeout 9 true': () => runToEnd('timeout', ['9', 'true']),
        'execa, await execa(…)': () => runToEnd(node, [peer('execa-true.mjs')]),
        'zx, await $`…`': () => runToEnd(node, [peer('zx-true.mjs')]),
      },
      rounds,
    );
    const over = (name: keyof typeof samples) => medianOver(samples[name], samples[base]);
    const names = Object.keys(samples) as (keyof typeof samples)[];
    return {
      tables: [
        {
          title: 'unstuck run -- true',
          note: 'From start to exit. The others keep no log, record no exit code and do not look after what was left behind.',
          head: ['', 'min', 'median', 'over node -e 0'],
          rows: names.map((name) => {
            const { minMs, medianMs } = timing(samples[name]);
            return [name, ms(minMs), ms(medianMs), ms(over(name))];
          }),
        },
      ],
      goals: ours.map((name) => ({
        what: `start-up, ${name}`,
        target: `at most ${overNodeMsMax} ms over node -e 0`,
        measured: ms(over(name)),
        met: over(name) <= overNodeMsMax,
      })),
    };
  });
}
