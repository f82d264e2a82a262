import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { whySnapshot } from '../../src/control/why-snapshot.js';
import { isHousekeeping } from '../../src/diagnose/graph/housekeeping.js';
import { isAbsent } from '../../src/model/facts/absence.js';
import type { ProcessFacts, Snapshot, ThreadFacts } from '../../src/model/facts/snapshot.js';
import { certainties, stuckKinds } from '../../src/model/verdict.js';
import { parseSnapshot } from '../../src/probe/replay/parse-snapshot.js';
import { snapshotsDir } from '../support/record-snapshot.js';

const names = readdirSync(snapshotsDir).filter((name) => name.endsWith('.json'));
const load = (name: string): Snapshot =>
  parseSnapshot(readFileSync(new URL(name, snapshotsDir), 'utf8'), name);

/** Short of the bound below which a timed futex of Java may be a re-check. */
const timeoutMs = 5000;
/** Of programs with many threads, these are enough. */
const placesMax = 40;

/**
 * A thread of the program that waits: one that is stopped, frozen or dead does not, of a Java monitor only its owner
 * matters, and what a runtime does for itself says nothing.
 */
function waits(process: ProcessFacts, thread: ThreadFacts): boolean {
  const { state, laterState, call, monitor } = thread;
  const halted = ['T', 't', 'Z', 'X'].some((letter) => state === letter || laterState === letter);
  if (halted || process.cgroup?.frozen === true || isHousekeeping({ process, thread })) return false;
  return process.inTree && monitor === undefined && !isAbsent(call) && call.at === 'call';
}

/** The waits of a snapshot, as places in it. */
const placesOf = ({ processes }: Snapshot): [process: number, thread: number][] =>
  processes.flatMap((process, index) =>
    process.threads.flatMap((facts, thread): [number, number][] =>
      waits(process, facts) ? [[index, thread]] : [],
    ),
  );

function addTimeout(snapshot: Snapshot, [process, thread]: [number, number]): string {
  const call = snapshot.processes[process]?.threads[thread]?.call;
  if (call === undefined || isAbsent(call) || call.at !== 'call') return '';
  call.timeout = { ms: timeoutMs, absolute: true };
  return `${call.name} of ${snapshot.processes[process]?.name}`;
}

test.each(names)('a finite timeout in any wait of %s proves nothing more, and nothing certain', (name) => {
  const before = whySnapshot(load(name)).verdict;
  for (const place of placesOf(load(name)).slice(0, placesMax)) {
    const snapshot = load(name);
    const timed = addTimeout(snapshot, place);
    const after = whySnapshot(snapshot).verdict;
    if (!stuckKinds.has(after.kind)) continue;
    const where = `${timed}: ${after.kind}, ${after.certainty}: ${after.reason}`;
    expect(after.certainty, where).not.toBe('certain');
    expect(stuckKinds.has(before.kind), where).toBe(true);
    expect(certainties.indexOf(after.certainty), where).toBeLessThanOrEqual(
      certainties.indexOf(before.certainty),
    );
  }
});

/** A page fault has no call that could have a timeout, and a check of an access comes before the timeout of the call. */
const hasNoTimeout = ({ processes }: Snapshot): boolean =>
  processes.some(({ threads }) => threads.some(({ wchan }) => /userfault|^fanotify/.test(wchan ?? '')));

const waiting = names.filter((name) => {
  const snapshot = load(name);
  return whySnapshot(snapshot).verdict.kind === 'event' && !hasNoTimeout(snapshot);
});

test.each(waiting)('with a finite timeout in each of its waits, %s goes on by itself', (name) => {
  const snapshot = load(name);
  const timed = placesOf(snapshot).map((place) => addTimeout(snapshot, place));
  const { kind, reason } = whySnapshot(snapshot).verdict;
  expect(['timer', 'service'], `${timed.join(', ')}: ${reason}`).toContain(kind);
});
