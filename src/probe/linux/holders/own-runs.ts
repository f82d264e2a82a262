import { dirname } from 'node:path';
import { isAbsent } from '../../../model/facts/absence.js';
import type { ProcessFacts } from '../../../model/facts/snapshot.js';
import type { SocketIndex } from '../../../model/facts/socket-index.js';
import type { KernelFiles } from '../kernel/kernel.js';
import { parseStat, type Stat } from '../proc/stat.js';

/** How run/launch/start-shim.ts starts the shim. */
const shimWords = Buffer.from('-c\0eval "$UNSTUCK_SHIM"\0unstuck\0');

/** Shells that a shim runs in. */
const shells = /^(sh|dash|bash|busybox|ash)$/;

function isShim(files: KernelFiles, pid: number): boolean {
  const bytes = files.bytes(`/proc/${pid}/cmdline`);
  return Buffer.isBuffer(bytes) && bytes.includes(shimWords);
}

/** The processes of a tree that started a shim: Unstuck's own supervisors inside it. */
export function supervisorsIn(
  files: KernelFiles,
  tree: readonly { pid: number; parent: number; name: string }[],
): number[] {
  const shims = new Map(
    tree
      .filter(({ name, pid }) => shells.test(name) && isShim(files, pid))
      .map(({ pid, parent }) => [pid, parent]),
  );
  const inTree = new Set(tree.map(({ pid }) => pid));
  const parents = [...shims.values()].filter((parent) => inTree.has(parent) && !shims.has(parent));
  return [...new Set(parents)];
}

/** The ancestors of a process that started a shim above it, nearest first: Unstuck's own supervisors. */
export function relaysAmong(files: KernelFiles, pid: number, ancestors: readonly number[]): number[] {
  const shims = [pid, ...ancestors].map((one) => isShim(files, one));
  return ancestors.filter((_, index) => shims[index] === true && shims[index + 1] === false);
}

/** Names from store/daemon-files.ts and store/run-directory.ts. */
const daemonSocket = /^(.*)\/daemon\.sock$/;
const logOfRun = /^(.*\/run_[0-9a-f]{12})\/output\.log$/;

/** Arguments with which a client names a run: the whole id, with or without the common prefix of all ids. */
const idWord = /^(?:run_)?([0-9a-f]{12})$/;

const wordsMax = 64;

/** The homes of the daemons that a process is connected to. */
function daemonHomes({ fds }: ProcessFacts, sockets: SocketIndex): string[] {
  if (isAbsent(fds)) return [];
  return fds.flatMap((file) => {
    const socket = sockets.of(file);
    const peer = socket?.peer === undefined ? undefined : sockets.byInode(socket.peer);
    return daemonSocket.exec(peer?.local ?? '')?.[1] ?? [];
  });
}

/** A client that shows a run has its log open; a client that only waits for its end was given its name. */
function directoryOf({ fds, command }: ProcessFacts, home: string): string | null {
  const log = isAbsent(fds) ? undefined : fds.find(({ read, link }) => read && logOfRun.test(link));
  if (log !== undefined) return dirname(log.link);
  const ids = command.split(' ', wordsMax).flatMap((word) => idWord.exec(word)?.[1] ?? []);
  return ids.length === 1 ? `${home}/runs/run_${ids[0]}` : null;
}

/**
 * The command of the background run that a client of the daemon waits for, as the shim recorded it; null: no run, or
 * not known. The daemon serves many clients: its other waits have nothing to do with this client.
 */
export function attendedRun(files: KernelFiles, facts: ProcessFacts, sockets: SocketIndex): Stat | null {
  const [home] = daemonHomes(facts, sockets);
  const directory = home === undefined ? null : directoryOf(facts, home);
  const bytes = directory === null ? null : files.bytes(`${directory}/pid`);
  return Buffer.isBuffer(bytes) ? parseStat(bytes) : null;
}
