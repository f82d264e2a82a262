import { fc, test as property } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { whySnapshot } from '../../src/control/why-snapshot.js';
import { isHousekeeping } from '../../src/diagnose/graph/housekeeping.js';
import { judge } from '../../src/diagnose/judge.js';
import { isAbsent, type Source } from '../../src/model/facts/absence.js';
import type { ProcessFacts, Snapshot, ThreadFacts } from '../../src/model/facts/snapshot.js';
import { certainties, stuckKinds, type Verdict } from '../../src/model/verdict.js';
import { parseSnapshot } from '../../src/probe/replay/parse-snapshot.js';
import { recordedSnapshots } from '../probe/replay/frozen.js';

const load = (text: string): Snapshot => parseSnapshot(text, 'recorded');
const isProof = ({ kind, certainty }: Verdict): boolean => certainty === 'certain' && stuckKinds.has(kind);

/** All recordings that prove something, and the kinds that they prove. */
const proofs = recordedSnapshots().filter(([, text]) => isProof(whySnapshot(load(text)).verdict));
const needsFacts: ReadonlySet<string> = new Set(['deadlock', 'asleep', 'needs-input']);
const byFacts = proofs.filter(([, text]) => needsFacts.has(whySnapshot(load(text)).verdict.kind));

test('there is enough to break', () => {
  const kinds = new Set(proofs.map(([, text]) => whySnapshot(load(text)).verdict.kind));
  expect([...kinds]).toEqual(expect.arrayContaining(['deadlock', 'asleep', 'needs-input', 'zombie']));
  expect(byFacts.length).toBeGreaterThan(40);
});

const living = ({ threads }: ProcessFacts): ThreadFacts[] =>
  threads.filter(({ state }) => !/[ZX]/.test(state));

const events: [name: string, happen: (process: ProcessFacts, thread: ThreadFacts) => void][] = [
  ['ran', (_, thread) => Object.assign(thread, { moved: true, monitor: undefined })],
  ['was woken', (_, thread) => Object.assign(thread, { moved: true, laterState: 'R', monitor: undefined })],
  ['ended', (_, thread) => Object.assign(thread, { moved: true, laterState: 'X', monitor: undefined })],
  ['may have run', (_, thread) => Object.assign(thread, { moved: null, monitor: undefined })],
  ['started another one', (process) => Object.assign(process, { changed: 'grew' })],
  ['made the process another program', (process) => Object.assign(process, { changed: 'exec' })],
];

property.prop([fc.nat(), fc.nat(), fc.nat(), fc.constantFrom(...events)], { numRuns: 600 })(
  'nothing is proven of a tree in which a thread did something between the readings',
  (which, whose, where, [name, happen]) => {
    const [file, text] = byFacts[which % byFacts.length] ?? ['', ''];
    const snapshot = load(text);
    const tree = snapshot.processes.filter((process) => process.inTree && living(process).length > 0);
    const process = tree[whose % tree.length] as ProcessFacts;
    // Threads of a runtime run for its own sake.
    const own = living(process).filter((thread) => !isHousekeeping({ process, thread }));
    happen(process, own[where % own.length] as ThreadFacts);
    const { verdict } = whySnapshot(snapshot);
    expect(isProof(verdict), `${file}: ${process.name} ${name}: ${verdict.kind}, ${verdict.certainty}`).toBe(
      false,
    );
  },
);

const deny = (snapshot: Snapshot, source: Source, pid: number): void => {
  snapshot.absent.push({ source, pid, reason: 'not-permitted' });
};

/** How each fact goes missing, about one process of the chain or about the machine. */
const losses: Record<string, (snapshot: Snapshot, process: ProcessFacts) => void> = {
  calls: (snapshot, { pid, threads }) => {
    deny(snapshot, 'syscall', pid);
    for (const thread of threads) thread.call = { absent: 'not-permitted' };
  },
  'open files': (snapshot, process) => {
    deny(snapshot, 'fd', process.pid);
    process.fds = { absent: 'not-permitted' };
  },
  memory: (snapshot, { pid, threads }) => {
    deny(snapshot, 'mem', pid);
    for (const { call } of threads)
      if (!isAbsent(call) && call.at === 'call' && call.futex !== undefined)
        call.futex.words = { absent: 'not-permitted' };
  },
  'memory maps': (snapshot, { pid }) => deny(snapshot, 'maps', pid),
  counters: (snapshot, { pid, threads }) => {
    deny(snapshot, 'schedstat', pid);
    for (const thread of threads) thread.moved = null;
  },
  signals: (snapshot, process) => {
    deny(snapshot, 'status', process.pid);
    process.signals = null;
  },
  timers: (snapshot, process) => {
    deny(snapshot, 'timers', process.pid);
    process.posixTimers = null;
  },
  children: (snapshot, { pid }) => deny(snapshot, 'children', pid),
  'threads beyond a limit': (snapshot, { pid }) =>
    snapshot.absent.push({ source: 'stat', pid, reason: 'limit' }),
  'the kernel function, below a filter of calls': (_, process) => {
    process.seccomp = 2;
    for (const thread of process.threads) thread.wchan = null;
  },
};

property.prop([fc.nat(), fc.nat(), fc.constantFrom(...Object.entries(losses))], { numRuns: 600 })(
  'nothing that rests on facts is proven without one of them',
  (which, whose, [name, lose]) => {
    const [file, text] = byFacts[which % byFacts.length] ?? ['', ''];
    const snapshot = load(text);
    const chain = [...(judge(snapshot)?.exploration.outlooks.keys() ?? [])];
    const concerned = snapshot.processes.filter(({ inTree, pid }) => inTree && chain.includes(pid));
    const process = concerned[whose % concerned.length] as ProcessFacts;
    lose(snapshot, process);
    const { verdict } = whySnapshot(snapshot);
    expect(isProof(verdict), `${file}: ${process.name} without ${name}: ${verdict.kind}`).toBe(false);
  },
);

/** Whether anything in the chain is waited for that another process may hold. */
function overHolders(snapshot: Snapshot): boolean {
  const outlooks = [...(judge(snapshot)?.exploration.outlooks.values() ?? [])].flat();
  return outlooks.some(({ wait }) =>
    wait?.on.some(
      (one) =>
        (one.what === 'file' && /^(pipe|fifo|socket)$/.test(one.file.kind)) ||
        (one.what === 'futex' && one.futex.mapping !== null),
    ),
  );
}

test.each<[string, (snapshot: Snapshot) => void]>([
  ['the search was cut', ({ searched }) => Object.assign(searched, { cut: 'ended after 1000 ms' })],
  ['a relative could not be read', ({ searched }) => Object.assign(searched, { unreadablePids: [1] })],
  ['there was no search', ({ searched }) => Object.assign(searched, { done: false })],
])('nothing that depends on holders is proven where %s', (_name, lose) => {
  let broken = 0;
  for (const [file, text] of byFacts) {
    const snapshot = load(text);
    if (!overHolders(snapshot)) continue;
    broken += 1;
    lose(snapshot);
    const { verdict } = whySnapshot(snapshot);
    expect(isProof(verdict), `${file}: ${verdict.kind}`).toBe(false);
  }
  expect(broken).toBeGreaterThan(15);
});

test.each(['passed', 'inherited'] as const)(
  'nothing is proven of a wait in an event loop that a stranger may have (%s)',
  (how) => {
    let broken = 0;
    for (const [file, text] of byFacts) {
      const snapshot = load(text);
      const outlooks = [...(judge(snapshot)?.exploration.outlooks.values() ?? [])].flat();
      const loops = outlooks.flatMap(({ wait }) =>
        (wait?.on ?? []).flatMap((one) => (one.what === 'file' && one.file.kind === 'epoll' ? one.file : [])),
      );
      if (loops.length === 0) continue;
      broken += 1;
      for (const loop of loops) loop.maybeShared = how;
      const { verdict } = whySnapshot(snapshot);
      expect(isProof(verdict), `${file}: ${verdict.kind}`).toBe(false);
      if (how === 'inherited' && verdict.kind === 'asleep') expect(verdict.certainty, file).toBe('medium');
    }
    expect(broken).toBeGreaterThan(2);
  },
);

test('with a possible alarm nothing is proven of several processes; a single process still needs input for certain', () => {
  let [alone, several] = [0, 0];
  for (const [file, text] of byFacts) {
    for (const alarms of [true, null]) {
      const snapshot = load(text);
      snapshot.alarms = alarms;
      const { verdict } = whySnapshot(snapshot);
      const isAlone =
        snapshot.processes.filter((process) => process.inTree && living(process).length > 0).length === 1;
      if (isAlone) alone += 1;
      else several += 1;
      if (!isAlone) expect(isProof(verdict), `${file}: ${verdict.kind}`).toBe(false);
      // A set that others outside of the tree belong to may be opened by the end of one of those.
      else if (verdict.kind === 'needs-input') expect(isProof(verdict), file).toBe(true);
    }
  }
  expect(alone).toBeGreaterThan(10);
  expect(several).toBeGreaterThan(10);
});

const everything = recordedSnapshots();

property.prop([fc.nat(), fc.nat(), fc.constantFrom(...Object.entries(losses))], { numRuns: 600 })(
  'a missing fact never makes a stuck verdict more certain',
  (which, whose, [name, lose]) => {
    const [file, text] = everything[which % everything.length] ?? ['', ''];
    const before = whySnapshot(load(text)).verdict;
    const snapshot = load(text);
    lose(snapshot, snapshot.processes[whose % snapshot.processes.length] as ProcessFacts);
    const after = whySnapshot(snapshot).verdict;
    if (!isProof(after)) return;
    const [from, to] = [before, after].map(({ certainty }) => certainties.indexOf(certainty));
    expect(to, `${file} without ${name}: ${before.kind} became ${after.kind}`).toBeLessThanOrEqual(from ?? 0);
  },
);
