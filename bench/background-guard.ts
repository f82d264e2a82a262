// Everything a benchmark starts carries a mark in its environment, however far it has gone from us; so it is found again.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { read } from './process-cost.js';

const markName = 'UNSTUCK_BENCH_MARK';
const roundsMax = 600;
const roundMs = 50;

/** A directory, and what all that works in it must have in its environment: nothing of either outlives the work. */
export interface GuardedScratch {
  dir: string;
  mark: Record<string, string>;
}

function isMarked(pid: string, mark: string): boolean {
  return read(`/proc/${pid}/environ`).split('\0').includes(`${markName}=${mark}`);
}

async function endMarked(mark: string): Promise<void> {
  for (let round = 0; round < roundsMax; round += 1) {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isMarked(name, mark));
    if (pids.length === 0) return;
    for (const pid of pids) {
      // Looked at once more: the number may be somebody else's by now.
      if (isMarked(pid, mark)) process.kill(Number(pid), 'SIGKILL');
    }
    await delay(roundMs);
  }
  throw new Error('something goes on and on starting processes');
}

/** A process of its own: waits until whoever measures has ended, in whatever way, and clears up. */
export async function guard(mark: string, dir: string): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  await text(process.stdin);
  await endMarked(mark);
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
}

export async function withGuardedScratch<Result>(
  root: string,
  work: (scratch: GuardedScratch) => Promise<Result>,
): Promise<Result> {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const dir = mkdtempSync(join(cache, 'bench-'));
  const mark = `${process.pid}-${Date.now()}`;
  const guarding = startGuard(mark, dir);
  try {
    return await work({ dir, mark: { [markName]: mark } });
  } finally {
    const ended = once(guarding, 'exit');
    guarding.stdin?.end();
    await ended;
  }
}

function startGuard(mark: string, dir: string): ChildProcess {
  return spawn(process.execPath, [process.argv[1] ?? '', '--guard', mark, dir], {
    stdio: ['pipe', 'ignore', 'inherit'],
    // Ctrl-C is for whoever measures.
    detached: true,
  });
}
