import { type RemoteCommand, remoteCommandOf } from '../../model/place-client.js';
import type { VerdictKind } from '../../model/verdict.js';
import { pathTo } from '../graph/explore.js';
import type { Judgement } from '../judge.js';
import { shortName } from './names.js';

/** Kinds that say nothing of the client itself: it waits for what its command does in the other place. */
const passing: ReadonlySet<VerdictKind> = new Set(['network', 'service', 'event', 'timer', 'unknown']);

/** Servers of all containers: what they wait for says nothing of one. */
const engines = /^(dockerd|containerd|containerd-shim.*|conmon|podman|docker)$/;

/** A client in the chain, whose command runs in another place. */
export interface Beyond extends RemoteCommand {
  /** The client. */
  pid: number;
  startTicks: number;
}

/** null: the chain has no such client, or the client itself is what hangs (it asks for a password). */
export function beyondOf({ kind, task, exploration, view }: Judgement): Beyond | null {
  if (!passing.has(kind)) return null;
  const waiters = pathTo(exploration, task.process.pid).flatMap(({ step }) => step?.from ?? []);
  const path = [...waiters, task].map(({ process }) => process);
  for (const [index, process] of path.entries()) {
    const remote = view.hasMember(process.pid) ? remoteCommandOf(process.command) : null;
    if (remote === null) continue;
    // A chain that goes on in the server of the client, on this same machine, has been read.
    const isEnd = path.slice(index + 1).every(({ name, pid }) => engines.test(name) || pid === process.pid);
    return isEnd ? { ...remote, pid: process.pid, startTicks: process.startTicks } : null;
  }
  return null;
}

/** What to type to go on there. */
export function beyondStep({ place }: RemoteCommand): string {
  if (/^(docker|podman):/.test(place)) return `go on inside: unstuck why ${place}`;
  return `go on there: unstuck why --on ${place} PID`;
}

export function beyondEvidence(judgement: Judgement, { pid, place, command }: Beyond): string {
  const process = judgement.view.process(pid);
  const what = command === '' ? 'what runs' : command.slice(0, 80);
  return `${process === undefined ? 'the client' : shortName(process)}(${pid}) waits for ${what} on ${place}, which was not read`;
}
