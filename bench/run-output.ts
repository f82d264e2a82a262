import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { takeTurns, timing } from './measure.js';
import { type Goal, type Table, times } from './report.js';
import { withScratch } from './scratch.js';

const line = 'some line of text, as a compiler or a test runner prints it: eighty characters.';

const lines = (bytes: number) => `yes '${line}' | head -c ${bytes}`;

/** What prints; `made` is a file that is made before. */
const sources = {
  zeros: (bytes: number) => `head -c ${bytes} /dev/zero`,
  'lines of 80 characters': (_bytes: number, made: string) => `cat '${made}'`,
  'lines, two programs print them': lines,
};

type Source = keyof typeof sources;

const ours = 'unstuck run';
const rival = 'tee';

/** As in a shell with `>/dev/null`; what it says on stderr is heard only when it fails. */
function runSilently(file: string, args: string[], env: Record<string, string> = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, ...env },
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${file}: exit code ${code}\n${said}`)),
    );
  });
}

/** Everybody but the first keeps a copy on disk until the end, and removes it then, as we do after success. */
function contenders(root: string, scratch: string, command: string) {
  const node = process.execPath;
  const copy = join(scratch, 'copy');
  const shell = ['sh', '-c', command];
  return {
    'cat, no copy kept': () => runSilently('sh', ['-c', `${command} | cat >/dev/null`]),
    [rival]: () => runSilently('sh', ['-c', `${command} | tee '${copy}' >/dev/null; rm '${copy}'`]),
    [ours]: () =>
      runSilently(node, [join(root, 'dist/cli.cjs'), 'run', '--', ...shell], { UNSTUCK_HOME: scratch }),
    'execa, to a file and stdout': () =>
      runSilently(node, [join(root, 'bench/peers/execa-tee.mjs'), copy, ...shell]),
  };
}

type Name = keyof ReturnType<typeof contenders>;

interface Result {
  source: Source;
  bytes: number;
  samples: Record<Name, number[]>;
}

const rate = ({ bytes, samples }: Result, name: Name) =>
  bytes / 1e6 / (timing(samples[name]).medianMs / 1000);
const bestRate = ({ bytes, samples }: Result, name: Name) =>
  bytes / 1e6 / (timing(samples[name]).minMs / 1000);
const megabytes = (perSecond: number) => `${Math.round(perSecond)} MB/s`;

const mebibytes = ({ bytes }: Result) => `${Math.round(bytes / 2 ** 20).toLocaleString('en')} MiB`;

function table(result: Result): Table {
  const names = Object.keys(result.samples) as Name[];
  return {
    title: `Output of ${mebibytes(result)}, ${result.source}`,
    note: 'From start to exit, stdout to /dev/null; making, keeping and removing the copy on disk is part of the time.',
    head: ['', 'best', 'median', `against ${rival}`],
    rows: names.map((name) => [
      name,
      megabytes(bestRate(result, name)),
      megabytes(rate(result, name)),
      times(rate(result, name) / rate(result, rival), 2),
    ]),
  };
}

function goal(result: Result): Goal {
  const ratio = rate(result, ours) / rate(result, rival);
  return {
    what: `throughput, ${mebibytes(result)}, ${result.source}`,
    target: `at least that of ${rival}`,
    measured: times(ratio, 2),
    met: ratio >= 1,
  };
}

/** How fast a command may print through us. */
export async function benchRunOutput(
  root: string,
  sizes: readonly number[],
  rounds: number,
): Promise<{ tables: Table[]; goals: Goal[] }> {
  const results: Result[] = [];
  const all = (Object.keys(sources) as Source[]).flatMap((source) =>
    sizes.map((bytes) => ({ source, bytes })),
  );
  for (const { source, bytes } of all) {
    const samples = await withScratch(root, (scratch) => {
      const made = join(scratch, 'made');
      execFileSync('sh', ['-c', `${lines(bytes)} >'${made}'`]);
      return takeTurns(contenders(root, scratch, sources[source](bytes, made)), rounds);
    });
    results.push({ source, bytes, samples });
  }
  return { tables: results.map(table), goals: results.map(goal) };
}
