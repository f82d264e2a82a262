import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { medianOver, takeTurns, timing } from './measure.js';
import { type Goal, ms, type Table } from './report.js';
import { runToEnd } from './run-to-end.js';
import { withScratch } from './scratch.js';

const overNodeMsMax = 25;
const beginsMsMax = 60;
const base = 'node -e 0';
const ours = ['node dist/cli.cjs run -- true', './unstuck run -- true'] as const;

/** From the start of `unstuck run` to the moment at which its command runs. */
function untilBegun(unstuck: string, env: Record<string, string>): Promise<number> {
  const startedMs = Date.now();
  const child = spawn(unstuck, ['run', '--', 'date', '+%s%N'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  return text(child.stdout).then((printed) => Number(printed) / 1e6 - startedMs);
}

/** What it costs to run a command that does nothing, from start to exit. */
export function benchRunStart(root: string, rounds: number): Promise<{ tables: Table[]; goals: Goal[] }> {
  const node = process.execPath;
  const peer = (name: string) => join(root, 'bench/peers', name);
  // Every Node would read these certificates when it starts, except that of the launcher.
  delete process.env.NODE_EXTRA_CA_CERTS;
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
    const begun: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      begun.push(await untilBegun(join(root, 'unstuck'), env));
    }
    const begins = timing(begun);
    const over = (name: keyof typeof samples) => medianOver(samples[name], samples[base]);
    const names = Object.keys(samples) as (keyof typeof samples)[];
    return {
      tables: [
        {
          title: 'unstuck run -- true',
          note: 'From start to exit. The others keep no log, record no exit code and do not look after what was left behind.',
          head: ['', 'min', 'median', 'over node -e 0'],
          rows: [
            ...names.map((name) => {
              const { minMs, medianMs } = timing(samples[name]);
              return [name, ms(minMs), ms(medianMs), ms(over(name))];
            }),
            ['until the command begins', ms(begins.minMs), ms(begins.medianMs), ''],
          ],
        },
      ],
      goals: [
        ...ours.map((name) => ({
          what: `start-up, ${name}`,
          target: `at most ${overNodeMsMax} ms over node -e 0`,
          measured: ms(over(name)),
          met: over(name) <= overNodeMsMax,
        })),
        {
          what: 'the command of unstuck run begins',
          target: `within ${beginsMsMax} ms`,
          measured: ms(begins.medianMs),
          met: begins.medianMs <= beginsMsMax,
        },
      ],
    };
  });
}
