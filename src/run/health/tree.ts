import type { PartRoot, ProcessIdentity } from '../../model/facts/identity.js';
import type { Receipt } from '../../model/run/receipt.js';
import { MemberScan, type MemberScanOptions } from '../../probe/members.js';
import { commandLineOf } from '../../probe/processes.js';

export interface StopOptions {
  graceMs: number;
  /** Ends the grace at once. */
  abort?: AbortSignal;
  /** Called for each process that was signalled. */
  onSignal?(): void;
  /** Called after each poll of processes of this machine. `isWhole`: it could read every process. */
  onPoll?(isWhole: boolean): void;
  /** How long to try when some processes cannot be read. Default: a short time. */
  unreadMsMax?: number | undefined;
}

/** A process that outlived the command. */
export interface LeftProcess {
  pid: number;
  command: string;
}

/** The command and everything that belongs to it. */
export interface Tree {
  readonly leader: ProcessIdentity;
  /** null: the processes are in another place, and only the methods below reach them. */
  readonly scan: MemberScan | null;
  /** TERM, grace, KILL of the whole tree. */
  stop(options: StopOptions): Promise<Receipt>;
  /** The same for one process of it, with all that this has started. */
  stopPart(top: PartRoot, options: Pick<StopOptions, 'graceMs' | 'abort'>): Promise<Receipt>;
  /** Sends a signal to the command, its session or its whole tree, by the kind of signal. Returns the processes that got it. */
  forward(signal: NodeJS.Signals): Promise<number[]>;
  /** Stops every process of the tree until `resume`; false: not all could be read. */
  freeze(): Promise<boolean>;
  resume(): Promise<boolean>;
  /** The live processes; null: not all could be read, and none was found. */
  leftovers(): Promise<LeftProcess[] | null>;
}

/** Processes of this machine. */
export interface LocalTree extends Tree {
  readonly scan: MemberScan;
}

/** The scan runs on demand, because it reads all processes of the machine. */
export function treeOf(options: MemberScanOptions): LocalTree {
  let scan: MemberScan | null = null;
  const members = () => {
    scan ??= new MemberScan(options);
    return scan;
  };
  return treeWith(options.leader, members);
}

/** A tree whose scan exists already. */
export function treeWith(leader: ProcessIdentity, members: () => MemberScan): LocalTree {
  return {
    leader,
    get scan() {
      return members();
    },
    async stop({ graceMs, abort, onSignal, onPoll, unreadMsMax }) {
      const { terminate } = await import('../stop/terminate.js');
      return terminate({
        scan: members(),
        signal: 'SIGTERM',
        graceMs,
        ...(abort !== undefined && { abort }),
        ...(onSignal !== undefined && { onSignal }),
        ...(onPoll !== undefined && { onPoll }),
        ...(unreadMsMax !== undefined && { unreadMsMax }),
      });
    },
    async stopPart(top, options) {
      const [{ terminate }, { PartMembers }] = await Promise.all([
        import('../stop/terminate.js'),
        import('../stop/part-members.js'),
      ]);
      return terminate({ ...options, scan: new PartMembers(members(), top), signal: 'SIGTERM' });
    },
    async forward(signal) {
      const { forward } = await import('../stop/forward.js');
      return forward(members(), signal)
        .filter(({ outcome, signal: sent }) => outcome === 'sent' && sent === signal)
        .map(({ pid }) => pid);
    },
    async freeze() {
      const { freezeTree } = await import('../stop/freeze-tree.js');
      return freezeTree(members());
    },
    async resume() {
      const { continueTree } = await import('../stop/freeze-tree.js');
      return continueTree(members());
    },
    async leftovers() {
      const left = members().scan({ fresh: true });
      if (left.length === 0 && !members().isWhole) return null;
      return left.map(({ pid }) => ({ pid, command: commandLineOf(pid) ?? `process ${pid}` }));
    },
  };
}
