import { setTimeout as delay } from 'node:timers/promises';
import { patienceMs } from './patience.js';
import { type Identity, type Member, readThreads, type ThreadLook, treeReader } from './read-tree.js';

const pollEveryMs = 50;
const quietMs = 250;
const pollingAcceptedMs = 3_000;
const pollingLooksApartMs = 300;
/** So long for one that never rests when it is looked at. */
const restlessAcceptedMs = patienceMs / 4;
const busyCpuMs = 200;

export interface SettleOptions {
  mark: string;
  root: Identity;
  busy: boolean;
  /** comm of a process that must be there first. */
  target: string | null;
}

function cpuMs(threads: ThreadLook[]): number {
  return threads.reduce((sum, thread) => sum + Number(thread.schedstat.split(' ')[0]) / 1e6, 0);
}

function fullLine(threads: ThreadLook[]): string {
  return threads.map((t) => `${t.pid} ${t.tid} ${t.state} ${t.syscall} ${t.schedstat}`).join('\n');
}

/** It waits for a CPU or a disk: on a busy machine this may be its start, and may last. */
function isOnItsWay({ state }: ThreadLook): boolean {
  return state === 'R' || state === 'D';
}

// By name and not by pid: a loop of short children looks the same every time.
function callSet(threads: ThreadLook[]): string {
  return [...new Set(threads.map((t) => `${t.comm} ${t.syscall.split(' ')[0]}`))].sort().join('\n');
}

function pickTarget(members: Member[], options: SettleOptions): number | null {
  const wanted = members.filter(({ pid, comm }) =>
    options.target === null ? pid === options.root.pid : comm === options.target,
  );
  return wanted.sort((a, b) => a.startTicks - b.startTicks || a.pid - b.pid)[0]?.pid ?? null;
}

/** Waits until nothing in the tree moves any more (or, busy, until it has burnt CPU); returns the pid to ask about. */
export async function waitUntilSettled(options: SettleOptions): Promise<number> {
  const startMs = performance.now();
  const readMembers = treeReader(options.mark, options.root);
  let quietSinceMs = startMs;
  let last = '';
  let calls = { line: '', atMs: startMs, rests: false };
  for (;;) {
    await delay(pollEveryMs);
    const nowMs = performance.now();
    const members = readMembers();
    const threads = readThreads(members);
    const target = pickTarget(members, options);
    const line = fullLine(threads);
    if (line !== last || threads.some((thread) => thread.state === 'R')) quietSinceMs = nowMs;
    last = line;
    if (target !== null && options.busy && cpuMs(threads) >= busyCpuMs) return target;
    const rests = !threads.some(isOnItsWay);
    // A state of the disk that lasts is what the case is about.
    const enoughMs = rests ? quietMs : pollingAcceptedMs;
    if (target !== null && !options.busy && nowMs - quietSinceMs >= enoughMs) return target;
    if (nowMs - calls.atMs >= pollingLooksApartMs) {
      const now = { line: callSet(threads), atMs: nowMs, rests };
      const acceptedMs = rests && calls.rests ? pollingAcceptedMs : restlessAcceptedMs;
      const polls = !options.busy && now.line === calls.line && nowMs - startMs >= acceptedMs;
      if (target !== null && polls) return target;
      calls = now;
    }
    if (nowMs - startMs > patienceMs) {
      throw new Error(
        `not settled after ${patienceMs} ms (target ${options.target ?? 'root'}):\n${line || 'no process left'}`,
      );
    }
  }
}
