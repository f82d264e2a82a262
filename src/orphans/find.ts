import { isAbsent } from '../model/absence.js';
import type { Orphan } from '../model/orphan.js';
import { printable } from '../model/printable.js';
import { ageMs } from '../probe/linux/age.js';
import { commandLineOf } from '../probe/linux/command-line.js';
import { bootId } from '../probe/linux/identify.js';
import { portsByProcess } from '../probe/linux/port-holders.js';
import { readText } from '../probe/linux/proc-file.js';
import { parseStatus } from '../probe/linux/status.js';
import { cwdOf, type Gathered, type GatherOptions, gatherFacts } from './gather-facts.js';
import { type Finding, judgeOrphans } from './judge-orphans.js';
import { reasonOf } from './words.js';

/** An orphan, and whether it has the rights of our user, without which it is never signalled: F4. */
export interface Sighting {
  orphan: Orphan;
  isOwn: boolean;
}

/** Everybody who outlived his run, the oldest first. */
export function sightOrphans(options: GatherOptions): Gathered & { sightings: Sighting[] } {
  const gathered = gatherFacts(options);
  const sightings = describeAll(judgeOrphans(gathered.facts), gathered);
  // Another user's is only listed when we have written down ourselves that it is the command of a run.
  const listed = sightings.filter(({ orphan, isOwn }) => isOwn || orphan.evidence.includes('recorded'));
  return { ...gathered, sightings: listed };
}

/** What people want to know of them; whoever has ended meanwhile is left out. */
export function describeAll(findings: readonly Finding[], { facts, book }: Gathered): Sighting[] {
  const ports = portsByProcess(findings.map(({ pid }) => pid));
  const boot = bootId();
  const sightings = findings.flatMap((finding): Sighting[] => {
    const { pid, startTicks, classification, evidence, runId } = finding;
    const text = readText(`/proc/${pid}/status`);
    if (isAbsent(text)) return [];
    const { uid, memoryKb } = parseStatus(text);
    const reading = runId === null ? null : book.known(runId);
    const orphan: Orphan = {
      pid,
      startTicks,
      command: commandLineOf(pid) ?? `[${printable(facts.processes.get(pid)?.name ?? '')}]`,
      cwd: cwdOf(pid),
      ageMs: ageMs({ bootId: boot, pid, startTicks }),
      residentBytes: memoryKb === null ? null : memoryKb * 1024,
      ports: ports.get(pid) ?? [],
      classification,
      evidence,
      reason: reasonOf(finding, reading?.about ?? null, reading?.facts.state ?? null),
      run: reading?.about ?? null,
    };
    return [{ orphan, isOwn: uid === process.geteuid?.() }];
  });
  return sightings.sort(({ orphan: a }, { orphan: b }) => a.startTicks - b.startTicks || a.pid - b.pid);
}
