import { setTimeout as delay } from 'node:timers/promises';
import type { Exit } from '../model/run.js';
import { identify } from '../probe/linux/identify.js';
import type { RunDirectory } from '../store/run-directory.js';
import type { Ending } from './ending.js';
import type { Launched } from './launch.js';
import type { RunOutput } from './run-output.js';
import type { Tree } from './tree.js';

/** A tree that was killed tells its end within this, or it is stuck in the kernel. */
const endAfterKillMs = 2000;
const lookEveryMs = 200;

/** Never an invented code: D7. */
export const unknownExit: Exit = { code: null, signal: null, provenance: 'unknown' };

interface Awaited {
  launched: Launched;
  directory: RunDirectory | null;
  tree: Promise<Tree | null>;
  ending: Ending;
}

/** The end of the command, as the shim tells it. */
export async function awaitExit({ launched, directory, tree, ending }: Awaited): Promise<Exit> {
  const killedInVain = ending.stopped.then(() => delay(endAfterKillMs, 'in vain' as const, { ref: false }));
  const code = await Promise.race([launched.exitCode, killedInVain]);
  const recorded = directory?.readExit() ?? null;
  if (recorded !== null) return recorded;
  if (typeof code === 'number') return { code, signal: null, provenance: 'recorded' };
  // Somebody killed the shim. The command may well live on, but nobody is left to say how it ends.
  const leader = code === null ? (await tree)?.leader : undefined;
  while (leader !== undefined && identify(leader.pid)?.startTicks === leader.startTicks) {
    await delay(lookEveryMs);
  }
  return unknownExit;
}

/** Everything printed is passed on; false: somebody else holds the output open, and is silent. */
export async function awaitDrained(
  launched: Launched,
  output: RunOutput,
  lingerMs: number,
): Promise<boolean> {
  const drained = launched.drained.then(() => true);
  for (;;) {
    const quietMs = performance.now() - output.lastMs;
    // Not shorter than the shim needs to end after the command, however long that was silent.
    const rest = delay(Math.max(lingerMs - quietMs, Math.min(lingerMs, 500)), false, { ref: false });
    if (await Promise.race([drained, rest])) {
      await output.finish();
      return true;
    }
    await output.drain();
    if (performance.now() - output.lastMs >= lingerMs) return false;
  }
}
