import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { whySnapshot } from '../../src/control/why-snapshot.js';
import { isAbsent } from '../../src/model/facts/absence.js';
import type { FdFacts, ProcessFacts, Snapshot } from '../../src/model/facts/snapshot.js';
import { parseSnapshot } from '../../src/probe/replay/parse-snapshot.js';
import { snapshotsDir } from '../support/record-snapshot.js';

function load(name: string): { snapshot: Snapshot; target: ProcessFacts } {
  const snapshot = parseSnapshot(readFileSync(new URL(`${name}.json`, snapshotsDir), 'utf8'), name);
  const target = snapshot.processes.find(({ pid }) => pid === snapshot.targetPid);
  if (target === undefined) throw new Error(`${name} has no target`);
  return { snapshot, target };
}

describe('an eventfd may be rung by the kernel, which shows nowhere', () => {
  test('the bells of node belong to its event loops: what waits for them is proven', () => {
    expect(whySnapshot(load('node-worker-message').snapshot).verdict).toMatchObject({
      kind: 'deadlock',
      certainty: 'certain',
    });
  });

  test('an eventfd more than there are event loops may belong to an addon, and then nothing is proven', () => {
    const { snapshot, target } = load('node-worker-message');
    const bell = isAbsent(target.fds) ? undefined : target.fds.find(({ kind }) => kind === 'eventfd');
    if (bell === undefined || isAbsent(target.fds)) throw new Error('node without an eventfd');
    target.fds.push({ ...bell, fd: 900, object: 'eventfd:900' });
    expect(whySnapshot(snapshot).verdict).toMatchObject({ kind: 'deadlock', certainty: 'high' });
  });

  test('the same waits of any other program are no proof', () => {
    const { snapshot, target } = load('node-worker-message');
    target.runtime = null;
    target.signals = null;
    expect(whySnapshot(snapshot).verdict).toMatchObject({ kind: 'deadlock', certainty: 'high' });
  });
});

const SIGINT = 2;
const SIGWINCH = 28;

/** As if the program had handled this signal, too. */
function handle({ signals }: ProcessFacts, signal: number): void {
  if (signals === null) throw new Error('signals were not read');
  signals.caught = (BigInt(`0x${signals.caught}`) | (1n << BigInt(signal - 1))).toString(16);
}

describe('a handler of the program’s own may be the way out', () => {
  test('of Ctrl-C, in a pause: a runtime’s own handler hides the program’s', () => {
    const { snapshot, target } = load('pause-bare');
    target.runtime = 'python';
    handle(target, SIGINT);
    expect(whySnapshot(snapshot).verdict).toMatchObject({ kind: 'asleep', certainty: 'high' });
  });

  test('of the window size, in a lock: hardly, so that it stays a deadlock', () => {
    const { snapshot, target } = load('cond-wait-forever');
    handle(target, SIGWINCH);
    expect(whySnapshot(snapshot).verdict).toMatchObject({ kind: 'deadlock', certainty: 'high' });
  });

  test('of the window size, in a shell that pauses for its child: hardly, too', () => {
    const { snapshot, target } = load('dash-wait-deadlock');
    handle(target, SIGWINCH);
    expect(whySnapshot(snapshot).verdict).toMatchObject({ kind: 'deadlock', certainty: 'high' });
  });
});

function filesOf({ fds }: ProcessFacts): FdFacts[] {
  if (isAbsent(fds)) throw new Error('open files were not read');
  return fds;
}

/** A copy of the process, outside of the tree, with these files. */
function addOutsider({ snapshot, target }: ReturnType<typeof load>, fds: FdFacts[]): ProcessFacts {
  const outsider = { ...structuredClone(target), pid: 999_999, parent: 1, inTree: false, children: [], fds };
  snapshot.processes.push(outsider);
  return outsider;
}

describe('something beside a closed set may open it', () => {
  test('an io_uring of one of its processes', () => {
    const { snapshot, target } = load('cond-wait-forever');
    expect(whySnapshot(snapshot).verdict.certainty).toBe('certain');
    const ring = 'anon_inode:[io_uring]';
    filesOf(target).push({ fd: 90, link: ring, kind: 'io_uring', object: ring, read: true, write: true });
    expect(whySnapshot(snapshot).verdict).toMatchObject({ kind: 'deadlock', certainty: 'high' });
  });

  test('a process with the same end of the pipe, which can open the other one', () => {
    const loaded = load('own-pipe-read');
    const end = filesOf(loaded.target).find(({ kind, write }) => kind === 'pipe' && !write);
    if (end === undefined) throw new Error('no reading end');
    addOutsider(loaded, [end]);
    expect(whySnapshot(loaded.snapshot).verdict).toMatchObject({ kind: 'deadlock', certainty: 'high' });
  });

  test('a process with the memory of a lock that any thread may release', () => {
    const loaded = load('mutex-pshared-ab-ba');
    expect(whySnapshot(loaded.snapshot).verdict.certainty).toBe('certain');
    expect(loaded.target.sharedMappings).toHaveLength(1);
    addOutsider(loaded, []);
    expect(whySnapshot(loaded.snapshot).verdict).toMatchObject({ kind: 'deadlock', certainty: 'high' });
  });
});
