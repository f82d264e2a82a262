import { setTimeout as delay } from 'node:timers/promises';
import type { Exit } from '../model/run/run.js';
import { livenessOf } from '../probe/processes.js';
import type { RunDirectory } from '../store/run-directory.js';
import type { Tree } from './health/tree.js';
import type { Launched } from './launch/launch.js';
import type { RunOutput } from './output/run-output.js';
import type { Ending } from './stop/ending.js';

/** A killed tree ends within this time, unless it is stuck in the kernel. */
const endAfterKillMs = 2000;
const pollEveryMs = 200;

/** An exit code is never invented. */
export const unknownExit: Exit = { code: null, signal: null, provenance: 'unknown' };

interface Awaited {
  launched: Launched;
  directory: RunDirectory | null;
  tree: Promise<Tree | null>;
  ending: Ending;
}

/** Resolves with the end of the command, as the shim reports it. */
export async function awaitExit({ launched, directory, tree, ending }: Awaited): Promise<Exit> {
  const killedInVain = ending.stopped.then(() => delay(endAfterKillMs, 'in vain' as const, { ref: false }));
  const code = await Promise.race([launched.exitCode, killedInVain]);
  const recorded = directory?.readExit();
  if (recorded?.kind === 'known' && recorded.value !== null) return recorded.value;
  if (typeof code === 'number') return { code, signal: null, provenance: 'recorded' };
  // The shim was killed. The command may still run, but nothing records how it ends.
  const leader = code === null ? (await tree)?.leader : undefined;
  while (leader !== undefined && livenessOf(leader) !== 'ended') await delay(pollEveryMs);
  return leader === undefined || directory === null ? unknownExit : exitLater(directory);
}

/** A part of the shim may outlive the rest. A status that cannot be read now is read again for a while. */
async function exitLater(directory: RunDirectory): Promise<Exit> {
  const untilMs = performance.now() + endAfterKillMs;
  for (;;) {
    const exit = directory.readExit();
    if (exit.kind === 'known') return exit.value ?? unknownExit;
    if (performance.now() > untilMs) return unknownExit;
    await delay(pollEveryMs);
  }
}

interface Drained {
  launched: Launched;
  output: RunOutput;
  /** How long other processes may hold the output open after the command ends. */
  lingerMs: number;
  /** Whether other processes hold the output open. If none does, the shim is only slow. */
  isHeld(): boolean;
  ending: Ending;
}

/** Passes on everything the command printed. Other processes that hold its output open get only a short wait. */
export async function awaitDrained({ launched, output, lingerMs, isHeld, ending }: Drained): Promise<void> {
  const drained = launched.drained.then(() => 'drained' as const);
  const hurried = ending.hurried.then(() => 'hurried' as const);
  for (;;) {
    const first = await Promise.race([drained, hurried, delay(lingerMs, 'lingers' as const, { ref: false })]);
    if (first === 'drained') return output.finish();
    if (first === 'hurried' || isHeld()) return output.drainPresent();
  }
}
