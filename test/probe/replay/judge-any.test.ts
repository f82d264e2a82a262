import { fc, test as property } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { whySnapshot } from '../../../src/control/why-snapshot.js';
import { isAbsent } from '../../../src/model/facts/absence.js';
import { callShapes } from '../../../src/model/facts/calls.js';
import type { Snapshot } from '../../../src/model/facts/snapshot.js';
import { Failure } from '../../../src/model/failure.js';
import { certainties, neverCertain, verdictKinds, type WhyAnswer } from '../../../src/model/verdict.js';
import { parseSnapshot } from '../../../src/probe/replay/parse-snapshot.js';
import { frozenSnapshots, recordedSnapshots } from './frozen.js';

const sources = [...frozenSnapshots(), ...recordedSnapshots()].map(([, text]) => text);

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Holder = { [key: string | number]: Json };
/** `name` is the field a value stands under; members of a list stand under the list's. */
type Slot = { holder: Holder; key: string | number; name: string };

/** Every value inside a value, with the way to change it. */
function slotsOf(value: Json, name = '', found: Slot[] = []): Slot[] {
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, inner] of Object.entries(value)) {
    const own = Array.isArray(value) ? name : key;
    found.push({ holder: value as Holder, key, name: own });
    slotsOf(inner, own, found);
  }
  return found;
}

/** All values seen under one name in any snapshot: a change to one of these stays plausible. */
const seen = new Map<string, Map<string, Json>>();
for (const text of sources) {
  for (const { holder, key, name } of slotsOf(JSON.parse(text) as Json)) {
    const known = seen.get(name) ?? new Map<string, Json>();
    const value = holder[key] ?? null;
    if (known.size < 400) known.set(JSON.stringify(value), value);
    seen.set(name, known);
  }
}

const odd: Json[] = [
  ...[null, true, false, 0, 1, -1, 2, 1.5, 1e21, 4294967295, 2147483647],
  ...[
    '',
    'x',
    '0x0',
    '0xffffffffffffffff',
    'ffffffffffffffff',
    'constructor',
    '__proto__',
    'socket:NaN',
    ':',
    '[::]:53',
  ],
  ...Object.keys(callShapes),
  ...[[], {}, { absent: 'unsupported' }, { absent: 'x' }, { at: 'outside' }, { at: 'running' }],
];

interface Change {
  where: number;
  how: 'plausible' | 'odd' | 'delete' | 'double';
  which: number;
}

const change: fc.Arbitrary<Change> = fc.record({
  where: fc.nat(),
  how: fc.oneof(
    { weight: 12, arbitrary: fc.constant('plausible' as const) },
    { weight: 1, arbitrary: fc.constantFrom('odd' as const, 'delete' as const, 'double' as const) },
  ),
  which: fc.nat(),
});

function apply(snapshot: Json, { where, how, which }: Change): void {
  const slots = slotsOf(snapshot);
  const slot = slots[where % slots.length];
  if (slot === undefined) return;
  const { holder, key, name } = slot;
  if (how === 'delete') {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
  } else if (how === 'double') {
    if (Array.isArray(holder)) holder.push(structuredClone(holder[Number(key)] ?? null));
  } else {
    const pool = how === 'plausible' ? [...(seen.get(name)?.values() ?? [])] : odd;
    holder[key] = structuredClone(pool[which % Math.max(1, pool.length)] ?? null);
  }
}

/** Parse, judge and put into words; a Failure is an answer too, anything else is a bug. */
function answerTo(text: string): WhyAnswer | Failure {
  try {
    return whySnapshot(parseSnapshot(text, 'mutated.json'));
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

const judged = { answers: 0, failures: 0 };

property.prop([fc.nat(), fc.array(change, { minLength: 1, maxLength: 12 })], { numRuns: 2000 })(
  'every snapshot that the parser accepts can be judged, and kinds that are never certain are not',
  (index, changes) => {
    const snapshot = JSON.parse(sources[index % sources.length] ?? '') as Json;
    for (const one of changes) apply(snapshot, one);
    const answer = answerTo(JSON.stringify(snapshot));
    if (answer instanceof Failure) {
      judged.failures += 1;
      expect(['bad-snapshot', 'future-snapshot', 'process-ended']).toContain(answer.code);
      return;
    }
    judged.answers += 1;
    const { kind, certainty, reason } = answer.verdict;
    expect(verdictKinds).toContain(kind);
    expect(certainties).toContain(certainty);
    expect(reason).not.toBe('');
    if (neverCertain.has(kind)) expect([kind, certainty]).not.toEqual([kind, 'certain']);
  },
);

test('the changes above are neither all refused nor all harmless', () => {
  expect(judged.answers).toBeGreaterThan(300);
  expect(judged.failures).toBeGreaterThan(300);
});

property.prop([fc.nat(), fc.array(change, { maxLength: 6 })], { numRuns: 500 })(
  'without calls and memory nothing but what the state alone shows is certain',
  (index, changes) => {
    const snapshot = JSON.parse(sources[index % sources.length] ?? '') as Snapshot;
    for (const process of snapshot.processes) {
      for (const thread of process.threads) thread.call = { absent: 'not-permitted' };
      for (const source of ['syscall', 'mem'] as const)
        snapshot.absent.push({ source, pid: process.pid, reason: 'not-permitted' });
    }
    const untouched = JSON.stringify(snapshot.absent);
    for (const one of changes) apply(snapshot as unknown as Json, one);
    // What was changed may claim more than it could: the denial itself must stay.
    fc.pre(JSON.stringify(snapshot.absent) === untouched);
    fc.pre(
      snapshot.processes?.every?.((process) => process?.threads?.every?.((thread) => isAbsent(thread?.call))),
    );
    const answer = answerTo(JSON.stringify(snapshot));
    if (answer instanceof Failure || answer.verdict.certainty !== 'certain') return;
    expect(['stopped', 'zombie', 'frozen', 'working']).toContain(answer.verdict.kind);
  },
);
