import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatDuration } from '../../src/text/duration.js';
import { replacePart } from '../published-part.js';
import { bareTable, describeMachine, goalsTable } from '../report.js';
import { withScratch } from '../scratch.js';
import { Bed } from './bed.js';
import { type Measured, measure } from './measure.js';

/** Where the checkout is; bench/launch.mjs puts it in. */
declare const __UNSTUCK_ROOT__: string;

const usage = `npm run bench:web [-- options]
  --runs N       live runs; 1000 if not given, a twentieth of them print every half second
  --seconds N    how long each state is measured; 25 if not given
  --log-mb N     size of the log that is scrolled and searched; 1000 if not given
  --save         write the figures into docs/benchmarks.md
  --help         this

CPU of the daemon, of unstuck web and of the browser, with a page open and without; how late a page is; a long log.
It takes about six minutes, and is given up after ten. On a busy machine fewer runs are started, and the figures name how many.`;

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '25' },
    'log-mb': { type: 'string', default: '1000' },
    save: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const giveUpMs = 600_000;

const wanted = {
  runs: Number(values.runs),
  seconds: Number(values.seconds),
  logMb: Number(values['log-mb']),
};

async function main(): Promise<void> {
  const machine = describeMachine();
  const beginMs = performance.now();
  const tookWords = () => formatDuration(performance.now() - beginMs);
  const progress = (what: string) => console.error(`${tookWords()}: ${what}`);
  await withScratch(__UNSTUCK_ROOT__, async (scratch) => {
    const bed = new Bed(join(scratch, 'home'));
    const late = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error(`not over after ${formatDuration(giveUpMs)}`)), giveUpMs).unref();
      for (const signal of ['SIGINT', 'SIGTERM'] as const) {
        process.once(signal, () => reject(new Error(`interrupted by ${signal}`)));
      }
    });
    try {
      const work = measure(bed, wanted, { root: __UNSTUCK_ROOT__, progress });
      publish(await Promise.race([work, late]), `${tookWords()} in all (${machine})`);
    } finally {
      progress('stopping everything');
      await bed.end();
    }
  });
}

function publish({ runs, goals, rows }: Measured, about: string): void {
  const cut = runs < wanted.runs ? ` (${wanted.runs} were wanted, the rest did not start in time)` : '';
  const text = [
    `${runs} runs${cut}, a twentieth of them print twice a second; a log of ${wanted.logMb} MB; ${about}.`,
    bareTable(goalsTable(goals)),
    bareTable({ title: '', head: ['what', 'measured'], rows }),
  ].join('\n\n');
  console.log(text);
  if (!values.save) return;
  const page = join(__UNSTUCK_ROOT__, 'docs/benchmarks.md');
  writeFileSync(page, replacePart(readFileSync(page, 'utf8'), 'npm run bench:web -- --save', text));
}

if (values.help) console.log(usage);
else await main();
