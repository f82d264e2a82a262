// Commands that ran five times and hang in the sixth: found by their own, played history?
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { flagsOf, scaleBy } from './hangs/scale.js';
import type { Goal, Table } from './report.js';
import { withScratch } from './scratch.js';

const factor = 15;
const runs = 5;
/** For each run. A hang that is not found ends by this. */
const limitS = 40;

/** Works for a few seconds; with HANG=1 it then stops for ever, in the way that its argument names. */
const program = `import asyncio, fcntl, os, queue, select, signal, socket, subprocess, sys, threading, time
kind = sys.argv[1]
for step in range(5):
    print('step', step, flush=True)
    time.sleep(0.3 + 0.1 * (step % 3))
if os.environ.get('HANG') != '1': sys.exit(0)
def lock():
    name = os.environ['UNSTUCK_HOME'] + '/' + kind
    holder = subprocess.Popen([sys.executable, '-c', 'import fcntl,sys,time; f=open(sys.argv[1],"w"); fcntl.flock(f,2); print(1,flush=True); time.sleep(1e6)', name], stdout=subprocess.PIPE)
    holder.stdout.readline()
    fcntl.flock(open(name, 'w'), fcntl.LOCK_EX)
def listener():
    server = socket.create_server(('127.0.0.1', 0))
    server.accept()
def timer():
    while True: time.sleep(1000)
def ticks():
    while True: time.sleep(0.1)
def polls():
    while not select.select([socket.create_server(('127.0.0.1', 0))], [], [], 0.5)[0]: pass
def child(): subprocess.run(['sleep', '1000000'])
def event(): threading.Event().wait()
def thread():
    held = queue.Queue()
    threading.Thread(target=ticks, daemon=True).start()
    held.get()
def loop(): asyncio.run(asyncio.Event().wait())
def wakes():
    asyncio.run(asyncio.sleep(1e6))
def paused(): signal.pause()
globals()[kind]()
`;

const kinds = [
  ...['timer', 'ticks', 'polls', 'child', 'lock', 'listener', 'event', 'thread', 'loop', 'wakes', 'paused'],
] as const;

interface Ended {
  code: number | null;
  seconds: number;
}

async function played(
  root: string,
  home: string,
  kind: string,
  hang: boolean,
  more: string[],
): Promise<Ended> {
  const flags = ['--status=none', `--history-key=${kind}`, `--timeout=${limitS}s`, '--grace=200ms', ...more];
  const words = [...flagsOf(scaleBy(factor, 0, 0)), '--', 'python3', '-u', '-c', program, kind];
  const startedMs = performance.now();
  const child = spawn(process.execPath, [join(root, 'dist/cli.cjs'), 'run', ...flags, ...words], {
    env: { ...process.env, UNSTUCK_HOME: home, HANG: hang ? '1' : '0' },
    stdio: 'ignore',
  });
  const code = await new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  return { code, seconds: (performance.now() - startedMs) / 1000 };
}

interface Row {
  kind: string;
  healthy: number;
  withIt: Ended;
  without: Ended;
}

async function story(root: string, home: string, kind: string): Promise<Row> {
  const found = ['--kill-on=medium'];
  let healthy = 0;
  // The last of them is judged by those before it.
  for (let run = 0; run <= runs; run += 1) {
    const { code } = await played(root, home, kind, false, found);
    if (code === 0) healthy += 1;
  }
  const withIt = await played(root, home, kind, true, found);
  const without = await played(root, home, kind, true, [...found, '--no-history']);
  return { kind, healthy, withIt, without };
}

const foundCode = 121;
const after = ({ code, seconds }: Ended) => (code === foundCode ? `${seconds.toFixed(1)} s` : 'not found');

export async function benchHistoryPlayed(root: string): Promise<{ tables: Table[]; goals: Goal[] }> {
  return withScratch(root, async (home) => {
    const rows = await Promise.all(kinds.map((kind) => story(root, home, kind)));
    const isFound = ({ withIt }: Row) => withIt.code === foundCode;
    const isClean = ({ healthy }: Row) => healthy === runs + 1;
    return {
      tables: [
        {
          title: 'Hangs after five played runs',
          note: `All times divided by ${factor}; the seconds are those from the start of the command. Not found: within ${limitS} s.`,
          head: ['it waits for', 'healthy runs without an alarm', 'with its history', 'without'],
          rows: rows.map((row) => [
            row.kind,
            `${row.healthy} of ${runs + 1}`,
            after(row.withIt),
            after(row.without),
          ]),
        },
      ],
      goals: [
        {
          what: 'hangs found after five played runs, without a false alarm',
          target: 'all',
          measured: `${rows.filter(isFound).length} of ${rows.length}, ${rows.filter((row) => !isClean(row)).length} with a false alarm`,
          met: rows.every((row) => isFound(row) && isClean(row)),
        },
      ],
    };
  });
}
