import { mkdirSync } from 'node:fs';
import { limitOf, sinceChange } from '../src/diagnose/history/spread.js';
import { usualOf } from '../src/diagnose/history/usual.js';
import { presets } from '../src/model/run/health.js';
import { HistoryFiles } from '../src/store/history/history-files.js';
import { historyKey } from '../src/store/history/history-key.js';
import { distributions, simulate, simulatedRun } from '../test/diagnose/history/simulated.js';
import { simulateHang } from '../test/diagnose/history/simulated-hang.js';
import { takeTurns, timing } from './measure.js';
import { type Goal, ms, type Table, times } from './report.js';
import { withScratch } from './scratch.js';

const runsPerHistory = 60;
const runsMin = 5;
const counted = 200;

interface Rates {
  name: string;
  judged: number;
  suspicious: number;
  alarms: number;
}

/** Of all runs from the sixth on: how many were judged, and how many of these wrongly. */
function ratesOf(name: string, histories: number): Rates {
  let [runs, judged, suspicious, alarms] = [0, 0, 0, 0];
  for (let seed = 1; seed <= histories; seed++) {
    const history = simulate(name, seed, runsPerHistory);
    for (let at = runsMin; at < history.length; at++) {
      const limit = limitOf(sinceChange(history.slice(0, at)), presets.production);
      const next = history[at] as number;
      runs += 1;
      if (limit === null) continue;
      judged += 1;
      if (next > limit) suspicious += 1;
      if (next > 2 * limit) alarms += 1;
    }
  }
  return { name, judged: judged / runs, suspicious: suspicious / runs, alarms: alarms / runs };
}

const perThousand = (rate: number) => (rate * 1000).toFixed(2);

function simulated(histories: number): { tables: Table[]; goals: Goal[] } {
  const rates = Object.keys(distributions).map((name) => ratesOf(name, histories));
  const worst = Math.max(...rates.map(({ alarms }) => alarms));
  return {
    tables: [
      {
        title: 'Simulated histories: nothing hangs, so every alarm is false',
        note: `${histories} histories of ${runsPerHistory} runs each; a silence counts as idle throughout.`,
        head: ['distribution', 'judged', 'suspicious per 1,000 runs', 'alarms per 1,000 runs'],
        rows: rates.map(({ name, judged, suspicious, alarms }) => [
          name,
          `${Math.round(judged * 100)} %`,
          perThousand(suspicious),
          perThousand(alarms),
        ]),
      },
    ],
    goals: [
      {
        what: 'false alarms of the worst distribution',
        target: 'under 1 in 1,000 runs',
        measured: `${perThousand(worst)} in 1,000`,
        met: worst < 1 / 1000,
      },
    ],
  };
}

/** Runs that stop for ever after a simulated history: when is the alarm? */
function hangs(histories: number): { tables: Table[]; goals: Goal[] } {
  const rows = Object.keys(distributions).map((name) => {
    const found = Array.from({ length: histories }, (_, seed) => simulateHang(name, seed + 1));
    const judged = found.filter((hang) => hang !== null);
    const late = judged.filter(({ alarmMs, latestMs }) => alarmMs === null || alarmMs > latestMs).length;
    const early = judged.filter(({ alarmMs, longestMs }) => alarmMs !== null && alarmMs <= longestMs).length;
    const times = judged.map(({ alarmMs, longestMs }) => (alarmMs ?? 0) / longestMs);
    return { name, judged: judged.length, late, early, times: times.toSorted((a, b) => a - b) };
  });
  const late = rows.reduce((sum, row) => sum + row.late, 0);
  const early = rows.reduce((sum, row) => sum + row.early, 0);
  return {
    tables: [
      {
        title: 'Simulated hangs: a run stops for ever after a history of 5 to 60 runs',
        note: 'The bound is twice the limit and two samples. Times are in units of the longest silence of the history.',
        head: [
          'distribution',
          'judged',
          'alarm beyond the bound',
          'inside the range seen',
          'median',
          'latest',
        ],
        rows: rows.map(({ name, judged, late, early, times }) => [
          name,
          `${judged} of ${histories}`,
          String(late),
          String(early),
          (times[Math.floor(times.length / 2)] ?? 0).toFixed(1),
          (times.at(-1) ?? 0).toFixed(1),
        ]),
      },
    ],
    goals: [
      {
        what: 'simulated hangs: alarm within the bound, and never inside the range of what was seen',
        target: 'all',
        measured: `${late} late, ${early} early`,
        met: late + early === 0,
      },
    ],
  };
}

/** As many commands, with as many runs each, so that all together are the given number. */
function fill(home: string, commands: number, runs: number): void {
  for (let command = 0; command < commands; command++) {
    const key = historyKey('', '/', `command ${command}`);
    const files = new HistoryFiles(home, key.id);
    for (let run = 0; run < runs; run++) {
      files.append(simulatedRun(60_000 + run, 5000 + run, command * runs + run), key);
    }
  }
}

/** What one run reads: among 100,000 runs of 500 commands, and where there is no other command. */
async function reading(root: string, rounds: number): Promise<{ tables: Table[]; goals: Goal[] }> {
  return withScratch(root, async (dir) => {
    const [alone, many] = ['alone', 'many'].map((name) => `${dir}/${name}`) as [string, string];
    for (const home of [alone, many]) mkdirSync(home, { mode: 0o700 });
    fill(alone, 1, counted);
    fill(many, 500, counted);
    const { id } = historyKey('', '/', 'command 0');
    const read = (home: string) => usualOf(new HistoryFiles(home, id).read(counted), presets.production);
    const took = await takeTurns({ alone: () => read(alone), many: () => read(many) }, rounds);
    const [one, all] = [timing(took.alone), timing(took.many)];
    return {
      tables: [
        {
          title: 'Reading the history of one command, 200 runs, with its statistics',
          head: ['runs in all histories', 'median', 'best'],
          rows: [
            ['200', ms(one.medianMs), ms(one.minMs)],
            ['100,000 of 500 commands', ms(all.medianMs), ms(all.minMs)],
          ],
        },
      ],
      goals: [
        {
          what: 'what one run reads of 100,000 runs',
          target: 'under 5 ms, and as long as without the others (1.5x)',
          measured: `${ms(all.minMs)}, ${times(all.minMs / one.minMs)}`,
          met: all.minMs < 5 && all.minMs < 1.5 * one.minMs,
        },
      ],
    };
  });
}

/** `histories`: of each distribution. */
export async function benchHistory(root: string, histories: number, rounds: number) {
  const parts = [simulated(histories), hangs(Math.ceil(histories / 10)), await reading(root, rounds)];
  return { tables: parts.flatMap(({ tables }) => tables), goals: parts.flatMap(({ goals }) => goals) };
}
