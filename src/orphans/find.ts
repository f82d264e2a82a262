import { isAbsent } from '../model/facts/absence.js';
import type { Orphan } from '../model/orphan.js';
import { ageMs, readText } from '../probe/machine.js';
import { portsByProcess } from '../probe/ports.js';
import { bootId, commandLineOf, parseStatus, readRow } from '../probe/processes.js';
import { printable } from '../text/printable.js';
import { cwdOf, type Gathered, type GatherOptions, gatherFacts } from './gather-facts.js';
import { type Finding, judgeOrphans } from './judge-orphans.js';
import { reasonOf } from './words.js';

/** An orphan, and whether it runs as our user. A process of another user is never signalled. */
export interface Sighting {
  orphan: Orphan;
  isOwn: boolean;
}

/** Processes that outlived their run, oldest first. */
export function scanForOrphans(options: GatherOptions): Gathered & { sightings: Sighting[] } {
  const gathered = gatherFacts(options);
  const sightings = describeAll(judgeOrphans(gathered.facts), gathered);
  // A process of another user is listed only when the run record names it as the command.
  const listed = sightings.filter(({ orphan, isOwn }) => isOwn || orphan.evidence.includes('recorded'));
  return { ...gathered, sightings: listed };
}

/**
 * Adds what a user wants to know. A process that has ended meanwhile is left out: its mark may have been read too late,
 * and was missing.
 */
export function describeAll(findings: readonly Finding[], { facts, book }: Gathered): Sighting[] {
  const ports = portsByProcess(findings.map(({ pid }) => pid));
  const boot = bootId();
  const sightings = findings.flatMap((finding): Sighting[] => {
    const { pid, startTicks, classification, evidence, runId } = finding;
    const text = readText(`/proc/${pid}/status`);
    const row = readRow(pid);
    if (isAbsent(text) || isAbsent(row) || row.ended || row.startTicks !== startTicks) return [];
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
