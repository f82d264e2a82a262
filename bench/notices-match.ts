import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { PatternSearch } from '../src/notices/pattern-search.js';
import { takeTurns, timing } from './measure.js';
import { type Goal, type Table, times } from './report.js';
import { withScratch } from './scratch.js';

/** As the daemon reads it. */
const chunkBytes = 256 * 1024;

/** One match in so many lines. */
const rareLines = 1000;

const modules = ['src/app/index.ts', 'src/net/client.ts', 'lib/queue.ts', 'test/store/open.test.ts'];
const messages = [
  (at: number) => `compiled ${modules[at % modules.length]} in ${(at * 37) % 900} ms`,
  (at: number) =>
    `GET /api/v1/items/${(at * 7919) % 100_000} 200 ${(at * 13) % 400} ms - ${(at * 101) % 65_536}`,
  (at: number) => `worker-${at % 8} took job ${at.toString(16)} from the queue, ${(at * 3) % 50} left`,
  (at: number) => `ok ${at} - keeps what was written before the crash (${(at * 11) % 90} ms)`,
];

function logLine(at: number): string {
  const time = new Date(1_700_000_000_000 + at * 13).toISOString();
  const level = at % rareLines === rareLines - 1 ? 'FATAL' : at % 7 === 0 ? 'DEBUG' : 'INFO ';
  return `${time} ${level} ${messages[at % messages.length]?.(at)}\n`;
}

/** So many different lines again and again, up to a size. */
function writeLog(path: string, bytes: number): number {
  const block = Buffer.from(Array.from({ length: 20 * rareLines }, (_, at) => logLine(at)).join(''));
  const fd = openSync(path, 'w');
  let written = 0;
  for (; written < bytes; written += block.length) writeSync(fd, block);
  closeSync(fd);
  return written;
}

/** Ours as a user writes it; the same for grep. */
const tasks: Record<string, { pattern: string; grep: string[] }> = {
  'a text, in no line': { pattern: 'Traceback (most', grep: ['-F', 'Traceback (most'] },
  [`a text, in one of ${rareLines} lines`]: { pattern: 'FATAL', grep: ['-F', 'FATAL'] },
  'a text, in every line': { pattern: 'Z ', grep: ['-F', 'Z '] },
  'a regular expression, in no line': {
    pattern: '/(FATAL|panic) .*job [0-9a-f]+/',
    grep: ['-E', '(FATAL|panic) .*job [0-9a-f]+'],
  },
};

async function searchOurselves(path: string, pattern: string): Promise<number> {
  const search = new PatternSearch([pattern]);
  const chunk = Buffer.alloc(chunkBytes);
  const fd = openSync(path, 'r');
  try {
    let count = 0;
    for (let read = readSync(fd, chunk); read > 0; read = readSync(fd, chunk)) {
      count += (await search.push(chunk.subarray(0, read))).count;
    }
    return count;
  } finally {
    closeSync(fd);
  }
}

/** It only counts: told to print into /dev/null, it would stop at the first match. */
async function searchWithGrep(path: string, args: string[]): Promise<number> {
  const child = spawn('grep', ['--line-buffered', '-c', ...args, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  let printed = '';
  for await (const text of child.stdout.setEncoding('utf8')) printed += text;
  await ended;
  return Number(printed);
}

interface Result {
  task: string;
  matches: number;
  samples: Record<'ours' | 'grep', number[]>;
}

async function measure(path: string, task: string, rounds: number): Promise<Result> {
  const { pattern = '', grep = [] } = tasks[task] ?? {};
  const counts = new Set<number>();
  const samples = await takeTurns(
    {
      ours: async () => counts.add(await searchOurselves(path, pattern)),
      grep: async () => counts.add(await searchWithGrep(path, grep)),
    },
    rounds,
  );
  const [matches = 0, ...others] = counts;
  if (others.length > 0) throw new Error(`${task}: ${[...counts].join(' or ')} matches?`);
  return { task, matches, samples };
}

const textRatioMin = 1;
const expressionRatioMin = 0.8;
const megabytes = (bytes: number, tookMs: number) => `${Math.round(bytes / 1e3 / tookMs)} MB/s`;

/** How fast an output is searched for what somebody wants to be told of. */
export function benchNoticesMatch(
  root: string,
  bytesMin: number,
  rounds: number,
): Promise<{ tables: Table[]; goals: Goal[] }> {
  return withScratch(root, async (dir) => {
    const path = join(dir, 'log');
    const bytes = writeLog(path, bytesMin);
    const results: Result[] = [];
    for (const task of Object.keys(tasks)) results.push(await measure(path, task, rounds));
    return {
      tables: [
        {
          title: `A pattern in ${Math.round(bytes / 2 ** 20).toLocaleString('en')} MiB of log`,
          note: 'Ours in process, reading included, 256 KiB at a time; grep --line-buffered -c from start to exit. Both found the same lines.',
          head: ['', 'lines', 'best', 'median', 'grep, best', 'median', 'against grep'],
          rows: results.map(({ task, matches, samples }) => {
            const [ours, grep] = [timing(samples.ours), timing(samples.grep)];
            return [
              task,
              matches.toLocaleString('en'),
              megabytes(bytes, ours.minMs),
              megabytes(bytes, ours.medianMs),
              megabytes(bytes, grep.minMs),
              megabytes(bytes, grep.medianMs),
              times(grep.medianMs / ours.medianMs, 2),
            ];
          }),
        },
      ],
      goals: results.map(({ task, samples }) => {
        const least = task.startsWith('a text') ? textRatioMin : expressionRatioMin;
        const ratio = timing(samples.grep).medianMs / timing(samples.ours).medianMs;
        return {
          what: `search, ${task}`,
          target: `at least ${times(least)} of grep's speed`,
          measured: times(ratio, 2),
          met: ratio >= least,
        };
      }),
    };
  });
}
