import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessIdentity } from '../../model/facts/identity.js';
import type { Exit } from '../../model/run/run.js';
import { MemberScan } from '../../probe/members.js';
import { livenessOf } from '../../probe/processes.js';
import type { RunDirectory } from '../../store/run-directory.js';
import { type LocalTree, treeWith } from '../health/tree.js';
import type { Launched } from '../launch/launch.js';
import type { ShimReports } from '../parts.js';
import { type Exited, type Standing, unknownExit } from '../state.js';

export interface ShimPipeOptions {
  id: string;
  launched: Launched;
  directory: RunDirectory | null;
  /** Called when the command is known; null: nothing can be read about it. */
  met(leader: ProcessIdentity | null): Promise<void>;
  /** The run has ended. */
  close(): void;
}

/** A killed tree ends within this time, unless it is stuck in the kernel. */
const endAfterKillMs = 2000;
const pollEveryMs = 200;

/** What the shim of a foreground run reports over its pipe. */
export class ShimPipe implements ShimReports {
  readonly #options: ShimPipeOptions;

  constructor(options: ShimPipeOptions) {
    this.#options = options;
  }

  follow(seen: (standing: Standing) => void, stopped: Promise<void>): void {
    const { launched, met } = this.#options;
    const started = launched.identity.then(async (leader) => {
      await met(leader);
      seen({ kind: 'running', leader, shim: null });
      return leader;
    });
    void this.#exit(started, stopped).then(async (exit) =>
      seen({ kind: 'ended', exit, leader: await started, shim: null }),
    );
  }

  /** Made early: a process that ends before it was read cannot be proven to belong to the run. */
  treeOf({ leader }: Pick<Exited, 'leader'>): LocalTree | null {
    const { id, launched } = this.#options;
    if (leader === null) return null;
    const scan = new MemberScan({ runId: id, leader, shim: launched.shim });
    return treeWith(leader, () => scan);
  }

  drained(ms: number): Promise<boolean> {
    const drained = this.#options.launched.drained.then(() => true);
    return Promise.race([drained, delay(ms, false, { ref: false })]);
  }

  close(): void {
    this.#options.close();
    this.#options.launched.release();
  }

  /** The end of the command, as the shim reports it. */
  async #exit(started: Promise<ProcessIdentity | null>, stopped: Promise<void>): Promise<Exit> {
    const { launched, directory } = this.#options;
    const killedInVain = stopped.then(() => delay(endAfterKillMs, 'in vain' as const, { ref: false }));
    const code = await Promise.race([launched.exitCode, killedInVain]);
    const recorded = directory?.readExit();
    if (recorded?.kind === 'known' && recorded.value !== null) return recorded.value;
    if (typeof code === 'number') return { code, signal: null, provenance: 'recorded' };
    // The shim was killed. The command may still run, but nothing records how it ends.
    const leader = code === null ? await started : null;
    while (leader !== null && livenessOf(leader) !== 'ended') await delay(pollEveryMs);
    return leader === null || directory === null ? unknownExit : exitLater(directory);
  }
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
