import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { cpuMs, type Memory, memoryOf, shimOf } from './process-cost.js';
import { type Goal, ms, type Table } from './report.js';
import { withScratch } from './scratch.js';

/** After the start, with its loading and its first looks (at 5, 10 and 30 s; then at 110 s, and every 5 min). */
const settleMs = 35_000;
const corePercentMax = 0.1;
/** Whatever happens to us, nothing lives on for much longer than it was needed. */
const spareSeconds = 30;

type Script = (seconds: number) => string;

const silent = 'silent: sleep';

const commands: Record<string, Script> = {
  [silent]: (seconds) => `exec sleep ${seconds}`,
  'silent: 50 processes': (seconds) =>
    `i=0; while [ $i -lt 49 ]; do sleep ${seconds} & i=$((i+1)); done; wait`,
  'silent, busy: an endless loop': (seconds) => `exec timeout ${seconds} sh -c 'while :; do :; done'`,
  'a line every 100 ms': (seconds) =>
    `i=0; while [ $i -lt ${seconds * 10} ]; do echo "line $i"; sleep 0.1; i=$((i+1)); done`,
};

interface Cost {
  name: string;
  startMs: number;
  cpuMs: number;
  wallMs: number;
  memory: Memory;
  /** null: nothing is between it and the command. */
  shim: Memory | null;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

async function measure(
  { name, args, hasShim }: { name: string; args: string[]; hasShim: boolean },
  home: string,
  wallMs: number,
): Promise<Cost> {
  const child = spawn(process.execPath, args, {
    stdio: 'ignore',
    env: { ...process.env, UNSTUCK_HOME: home },
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`cannot start ${args.join(' ')}`);
  try {
    await delay(settleMs);
    const startMs = cpuMs(pid);
    const beganMs = performance.now();
    await delay(wallMs);
    const cost = {
      cpuMs: cpuMs(pid) - startMs,
      wallMs: performance.now() - beganMs,
      memory: memoryOf([pid]),
      shim: hasShim ? memoryOf(shimOf(pid)) : null,
    };
    if (child.exitCode !== null) throw new Error(`${name}: it ended early`);
    return { name, startMs, ...cost };
  } finally {
    await stop(child);
  }
}

const corePercent = ({ cpuMs, wallMs }: Cost) => (cpuMs / wallMs) * 100;
const percent = (value: number) => `${value.toFixed(3)} %`;
const mebibytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

function row(cost: Cost): string[] {
  const { name, startMs, memory, shim } = cost;
  return [
    name,
    ms(startMs),
    `${(corePercent(cost) * 36).toFixed(2)} s`,
    percent(corePercent(cost)),
    mebibytes(memory.residentBytes),
    mebibytes(memory.privateBytes),
    shim === null ? '' : mebibytes(shim.residentBytes),
    shim === null ? '' : mebibytes(shim.privateBytes),
  ];
}

/** What it costs to watch; all at the same time, or it would take too long. */
export function benchRunCost(root: string, wallMs: number): Promise<{ tables: Table[]; goals: Goal[] }> {
  const seconds = Math.ceil((settleMs + wallMs) / 1000) + spareSeconds;
  return withScratch(root, async (home) => {
    const cli = join(root, 'dist/cli.cjs');
    const execa = [join(root, 'bench/peers/execa-wait.mjs'), 'sleep', String(seconds)];
    const subjects = [
      ...Object.entries(commands).map(([name, script]) => {
        return { name, args: [cli, 'run', '--', 'sh', '-c', script(seconds)], hasShim: true };
      }),
      { name: 'execa that waits for sleep', args: execa, hasShim: false },
    ];
    const costs = await Promise.all(subjects.map((subject) => measure(subject, home, wallMs)));
    const ours = costs.find(({ name }) => name === silent) as Cost;
    return {
      tables: [
        {
          title: 'What watching costs',
          note: `The supervisor's own CPU time, without that of the command: in its first ${settleMs / 1000} s, then over ${Math.round(wallMs / 1000)} s. Looks become rarer while nothing runs: at 110 s, then every 5 minutes; each adds some 20 ms, 0.01 % over an hour.`,
          head: [
            '',
            'start',
            'CPU per hour',
            'of a core',
            'resident',
            'private',
            'shim, resident',
            'private',
          ],
          rows: costs.map(row),
        },
      ],
      goals: [
        {
          what: 'CPU of watching a silent run',
          target: `under ${corePercentMax} % of a core`,
          measured: percent(corePercent(ours)),
          met: corePercent(ours) < corePercentMax,
        },
      ],
    };
  });
}
