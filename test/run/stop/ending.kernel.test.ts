import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { PartRoot } from '../../../src/model/facts/identity.js';
import type { RunEvent } from '../../../src/model/run/run.js';
import type { Finding } from '../../../src/model/verdict.js';
import { treeWith } from '../../../src/run/health/tree.js';
import { Journal } from '../../../src/run/journal.js';
import { Ending } from '../../../src/run/stop/ending.js';
import { readIdentity } from '../../support/read-tree.js';
import { isAlive, startRun, until } from './start-run.js';

/** Stops what is found, and records what is reported. */
function endingOf({ leader, scan }: Awaited<ReturnType<typeof startRun>>) {
  const told: RunEvent[] = [];
  const ending = new Ending({
    journal: new Journal(null, (event) => told.push(event)),
    graceMs: 20_000,
    directory: null,
    tree: Promise.resolve(treeWith(leader, () => scan)),
    hasExited: () => !isAlive(leader),
  });
  return { ending, told };
}

/** One that has ended is a child until it is waited for. */
function childOf(pid: number): number | null {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  return children.find((child) => child > 0 && isAlive(readIdentity(child))) ?? null;
}

/** The processes that a stop signalled. */
function stoppedPids(told: readonly RunEvent[]): number[][] {
  return told.flatMap((event) =>
    event.kind === 'part-stopped' ? [event.receipt.processes.map(({ pid }) => pid)] : [],
  );
}

const found = (root: PartRoot, end: PartRoot): Finding => ({ root, end, reason: 'it is stuck' }) as Finding;

test('a run whose end comes from the stop of a stuck part is not over before that is reported', async () => {
  const run = await startRun(['sh', '-c', 'sleep 300 & echo $!; wait']);
  const part = readIdentity(Number(run.line));
  const { ending, told } = endingOf(run);
  ending.parts.stop([found(part, part)]);
  await until(() => !isAlive(run.leader), 'its parent goes on, and ends');
  await ending.settled;
  expect(ending.parts.isStopping).toBe(false);
  expect(told).toMatchObject([{ kind: 'part-stopped', receipt: { survivors: [] } }]);
});

test('the shell of a stuck command is not signalled: it ends by itself, with a code', async () => {
  const run = await startRun([
    'sh',
    '-c',
    '(sh -c "echo \\$PPID \\$\\$; exec sleep 300"; exit $?); sleep 301',
  ]);
  const [root, end] = run.line.split(' ').map((pid) => readIdentity(Number(pid)));
  if (root === undefined || end === undefined) throw new Error(`no pids: ${run.line}`);
  const { ending, told } = endingOf(run);
  ending.parts.stop([found(root, end)]);
  await until(() => !isAlive(root), 'the shell ends');
  await ending.settled;
  expect(stoppedPids(told)).toEqual([[end.pid]]);
  expect(isAlive(run.leader)).toBe(true);
});

test('a part that is stuck again is stopped as a whole', async () => {
  const run = await startRun([
    'sh',
    '-c',
    '(sh -c "echo \\$PPID \\$\\$; exec sleep 300"; sleep 302; :); sleep 301',
  ]);
  const [root, end] = run.line.split(' ').map((pid) => readIdentity(Number(pid)));
  if (root === undefined || end === undefined) throw new Error(`no pids: ${run.line}`);
  const { ending, told } = endingOf(run);
  ending.parts.stop([found(root, end)]);
  await until(() => !isAlive(end), 'the first command ends');
  await ending.settled;
  ending.parts.stop([found(root, end)]);
  await until(() => childOf(root.pid) !== null, 'the shell starts its next command');
  const second = childOf(root.pid) ?? 0;
  ending.parts.stop([found(root, readIdentity(second))]);
  await ending.settled;
  expect(stoppedPids(told)).toEqual([[end.pid], expect.arrayContaining([root.pid, second])]);
  expect(isAlive(run.leader)).toBe(true);
});
