import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { VerdictKind, WhyAnswer } from '../../model/verdict.js';
import { why } from '../why.js';
import { type DemoProgram, startDemoProgram } from './demo-program.js';

/** A program needs a moment to reach the expected state; after this time the answer is shown as it is. */
const settleMsMax = 30_000;
const pollEveryMs = 150;

export interface DemoScene {
  title: string;
  command: string;
  answer: WhyAnswer;
}

interface Plan {
  title: string;
  expected: VerdictKind;
  argv: string[];
  terminal: boolean;
}

function isInstalled(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((dir) => {
    try {
      accessSync(join(dir, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

const files: Record<string, string> = {
  'release.sh': 'sh deploy.sh\necho released\n',
  'deploy.sh': 'printf "Deploy to production? [y/N] "\nread answer\n',
  'hash.mjs': `import { createHash } from 'node:crypto';
for (;;) createHash('sha256').update(Buffer.alloc(1e6)).digest();
`,
  'books.sh': `flock orders.lock sh close.sh orders invoices &
flock invoices.lock sh close.sh invoices orders &
wait
`,
  // Runs with its own lock held. When its twin holds the other lock, it asks for that one.
  'close.sh': `: >"$1.taken"
until [ -e "$2.taken" ]; do sleep 0.05; done
exec flock "$2.lock" echo closed
`,
  'threads.mjs': `import { Worker } from 'node:worker_threads';
const cells = new Int32Array(new SharedArrayBuffer(8));
const other = "const cells = require('node:worker_threads').workerData; Atomics.wait(cells, 1, 0); Atomics.notify(cells, 0);";
const worker = new Worker(other, { eval: true, workerData: cells });
worker.once('online', () => { Atomics.wait(cells, 0, 0); Atomics.notify(cells, 1); });
`,
};

function plans(): Plan[] {
  const node = process.execPath;
  return [
    {
      title: 'A program that works and prints nothing',
      expected: 'working',
      argv: isInstalled('sha256sum') ? ['sha256sum', '/dev/zero'] : [node, 'hash.mjs'],
      terminal: false,
    },
    {
      title: 'A nested script that asks a question with no person to answer it',
      expected: 'needs-input',
      argv: ['sh', 'release.sh'],
      terminal: true,
    },
    isInstalled('flock')
      ? {
          title: 'Two jobs, each holding the lock that the other needs',
          expected: 'deadlock',
          argv: ['sh', 'books.sh'],
          terminal: false,
        }
      : {
          title: 'Two threads that wait for each other',
          expected: 'deadlock',
          argv: [node, 'threads.mjs'],
          terminal: false,
        },
  ];
}

/** Asks until the program is in the expected state. */
async function ask(pid: number, expected: VerdictKind, signal?: AbortSignal): Promise<WhyAnswer> {
  const giveUpAtMs = performance.now() + settleMsMax;
  for (;;) {
    const answer = await why(pid, signal === undefined ? {} : { signal });
    if (answer.verdict.kind === expected || performance.now() > giveUpAtMs) return answer;
    await delay(pollEveryMs, undefined, { signal });
  }
}

/** Starts three real programs and yields the answer about each in turn. Nothing is left behind. */
export async function* demo(options: { signal?: AbortSignal } = {}): AsyncGenerator<DemoScene> {
  const dir = mkdtempSync(join(tmpdir(), 'unstuck-demo-'));
  const started: DemoProgram[] = [];
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
    for (const { title, argv, terminal, expected } of plans()) {
      const program = await startDemoProgram(argv, { dir, terminal });
      started.push(program);
      const answer = await ask(program.pid, expected, options.signal);
      yield { title, command: argv.join(' '), answer };
    }
  } finally {
    await Promise.all(started.map((program) => program.stop()));
    rmSync(dir, { recursive: true, force: true });
  }
}
