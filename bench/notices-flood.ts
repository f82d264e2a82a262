import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { UnstuckFleet } from './background-fleet.js';
import { withGuardedScratch } from './background-guard.js';
import { timing } from './measure.js';
import { cpuMs, read } from './process-cost.js';
import { type Goal, ms, type Table, times } from './report.js';

const format = '2026-01-01T00:00:00.000Z INFO worker took job %07.0f from the queue of jobs';
const lineBytes = 76;

/** What the run prints is searched for this; null: for nothing. */
const watches: Record<string, string | null> = {
  'nothing is watched': null,
  'a text, in no line': 'Traceback (most',
  'a text, in every line': 'INFO',
  'a regular expression, in no line': '/(FATAL|panic) .*job [0-9a-f]+/',
  'a regular expression, in every line': '/(INFO|panic) .*job [0-9a-f]+/',
};

/** The run, from before its start until its last line has been searched; what that took of the daemon. */
async function daemonMs(
  fleet: UnstuckFleet,
  lines: number,
  pattern: string | null,
): Promise<[number, string]> {
  const before = cpuMs(fleet.daemonPid);
  const { id } = await fleet.call('start', {
    command: ['seq', '-f', format, String(lines)],
    cwd: fleet.home,
    ...(pattern !== null && { notify: { patterns: [pattern] } }),
  });
  await fleet.call('wait', { id, timeoutS: 120 });
  const directory = join(fleet.home, 'runs', id);
  const isSearched = () => read(join(directory, 'watch.json')).includes('"ended": true');
  while (pattern !== null && !isSearched()) await delay(5);
  return [cpuMs(fleet.daemonPid) - before, join(directory, 'output.log')];
}

/** CPU time of what is done here. */
async function ourMs(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function readOnly(log: string): Promise<void> {
  for await (const chunk of createReadStream(log, { highWaterMark: 256 * 1024 })) void chunk;
}

async function readLines(log: string): Promise<void> {
  for await (const line of createInterface({ input: createReadStream(log) })) void line;
}

/** The same without an iterator, which costs more than the lines. */
function hearLines(log: string): Promise<void> {
  const lines = createInterface({ input: createReadStream(log) });
  lines.on('line', () => {});
  return new Promise((resolve) => lines.once('close', resolve));
}

const readers: Record<string, (log: string) => Promise<void>> = {
  'Node: read, nothing else': readOnly,
  'Node: readline, on line': hearLines,
  'Node: readline, for await': readLines,
};

/** What a run that prints matching lines costs the daemon, against whoever reads it. */
export function benchNoticesFlood(
  root: string,
  lines: number,
  rounds: number,
): Promise<{ tables: Table[]; goals: Goal[] }> {
  return withGuardedScratch(root, async (scratch) => {
    const fleet = await UnstuckFleet.open(root, scratch, 'flood');
    const names = [...Object.keys(watches), ...Object.keys(readers)];
    const samples = new Map(names.map((name) => [name, [] as number[]]));
    let log = '';
    for (let round = -1; round < rounds; round += 1) {
      for (const name of names) {
        const reader = readers[name];
        let tookMs: number;
        if (reader !== undefined) tookMs = await ourMs(() => reader(log));
        else [tookMs, log] = await daemonMs(fleet, lines, watches[name] ?? null);
        if (round >= 0) samples.get(name)?.push(tookMs);
      }
    }
    return report(lines, rounds, samples);
  });
}

function report(lines: number, rounds: number, samples: Map<string, number[]>) {
  const best = (name: string) => timing(samples.get(name) ?? []).minMs;
  const median = (name: string) => timing(samples.get(name) ?? []).medianMs;
  const every = 'a text, in every line';
  const bases = ['a text, in no line', ...Object.keys(readers)];
  const table: Table = {
    title: `A run that prints ${lines.toLocaleString('en')} lines (${Math.round((lines * lineBytes) / 1e6)} MB)`,
    note: `CPU time of the daemon from the start of the run to its last notice, the run itself not counted; of the readers, that of reading the same log in a warm process. ${rounds} rounds.`,
    head: ['', 'best', 'median', ...bases.map((base) => `against ${base}`)],
    rows: [...samples.keys()].map((name) => [
      name,
      ms(best(name)),
      ms(median(name)),
      ...bases.map((base) => times(median(name) / median(base), 2)),
    ]),
  };
  const goals = Object.keys(readers).map(
    (reader): Goal => ({
      what: `a million matching lines, against ${reader}`,
      target: 'at most 1x',
      measured: times(median(every) / median(reader), 2),
      met: median(every) <= median(reader),
    }),
  );
  return { tables: [table], goals };
}
