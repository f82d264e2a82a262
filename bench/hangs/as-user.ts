import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Place } from '../../scripts/normal-user.mjs';
import { readResults, resultsOf } from './results-files.js';
import type { SavedRun } from './saved-run.js';

/** How it ended, and what it saved; null: nothing. */
export interface UserRun {
  exitCode: number;
  saved: SavedRun | null;
}

/** From here on a signal ends what we have started, or keeps it from being started; the copy goes in any case. */
function heedSignals(): AbortSignal {
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => interruption.abort(signal));
  return interruption.signal;
}

/** The same command in the copy. */
function start({ root, prefix, env }: Place, args: string[], interruption: AbortSignal): Promise<number> {
  if (interruption.aborted) return Promise.resolve(1);
  const [file = '', ...rest] = [...prefix, process.execPath, join(root, 'bench/hangs/run.mjs'), ...args];
  const child = spawn(file, rest, {
    cwd: root,
    env,
    // A group of its own: whoever measures in it hears of the signal, not only its launcher.
    detached: true,
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  interruption.addEventListener('abort', () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, interruption.reason);
  });
  child.stderr.pipe(process.stderr);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    // Not at its exit: the guard that clears up after it has the same stderr.
    child.once('close', (code) => resolve(code ?? 1));
  });
}

async function play(place: Place, args: string[], interruption: AbortSignal): Promise<UserRun> {
  console.log(`as ${place.user.name} (uid ${place.user.uid}), in a copy of this checkout`);
  for (const old of resultsOf(place.root, 'user')) rmSync(join(place.root, old));
  const exitCode = await start(place, args, interruption);
  const file = resultsOf(place.root, 'user').at(-1);
  return { exitCode, saved: file === undefined ? null : readResults(place.root, file) };
}

/** The benchmark without the rights of root, which we have. */
export async function runAsUser(root: string, args: string[]): Promise<UserRun> {
  // Not bundled: a script tells by its own place whether it was started or only imported.
  const script = pathToFileURL(join(root, 'scripts/normal-user.mjs')).href;
  const { asNormalUser }: typeof import('../../scripts/normal-user.mjs') = await import(script);
  const interruption = heedSignals();
  const run = await asNormalUser(root, (place) => play(place, args, interruption)).catch((error: unknown) => {
    // Ctrl-C has ended the copying, too.
    throw interruption.aborted ? new Error('interrupted') : error;
  });
  if ('whyNot' in run) throw new Error(`cannot run as a normal user: ${run.whyNot}`);
  return run.result;
}
