import { isAbsent } from '../../../model/facts/absence.js';
import { commandLineOf } from '../identity/command-line.js';
import { startTicks } from '../identity/identify.js';
import { listNumbers, readLink, readText } from '../proc/proc-file.js';
import { parseStatus } from '../proc/status.js';

/** Enough of the id of a container to recognise it. */
const idChars = 12;

/** The pids of a process in all pid namespaces, outermost first. */
function pidsOf(pid: number): number[] {
  const status = readText(`/proc/${pid}/status`);
  return isAbsent(status) ? [] : parseStatus(status).namespacePids;
}

/**
 * Whether a pid that an engine gave is of a container on this machine: the engine may be on another. Its control group
 * or its mounts name the container.
 */
export function isContainerHere(pid: number, id: string): boolean {
  const short = id.slice(0, idChars);
  return ['cgroup', 'mountinfo'].some((file) => {
    const text = readText(`/proc/${pid}/${file}`);
    return !isAbsent(text) && text.includes(short);
  });
}

/** Processes in the pid namespace of another process. */
function processesWith(of: number): number[] {
  const space = readLink(`/proc/${of}/ns/pid`);
  const pids = listNumbers('/proc');
  if (isAbsent(space) || isAbsent(pids)) return [];
  return pids.filter((pid) => readLink(`/proc/${pid}/ns/pid`) === space);
}

/** Clocks of two processes that start one after the other, in ticks. */
const startError = 200;

/** Processes of a container with this command line that began with its client, or up to so long after it. */
export function commandsInside(of: number, command: string, sinceTicks: number): number[] {
  return processesWith(of).filter((pid) => {
    const began = startTicks(pid);
    return began !== null && began >= sinceTicks - startError && commandLineOf(pid) === command;
  });
}

/** The process with this pid in the pid namespace of another process; null: there is none. */
export function processInside(of: number, inner: number): number | null {
  return processesWith(of).find((pid) => pidsOf(pid).at(-1) === inner) ?? null;
}
