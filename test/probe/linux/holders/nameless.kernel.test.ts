import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { whyWithSnapshot } from '../../../../src/control/why.js';
import { isAbsent } from '../../../../src/model/facts/absence.js';
import type { Verdict } from '../../../../src/model/verdict.js';
import { compile } from '../../../support/compile.js';
import { patienceMs } from '../../../support/patience.js';

let child: ChildProcess | null = null;

afterEach(() => {
  child?.kill('SIGKILL');
  rmSync(`/dev/shm/sem.unstuck-${child?.pid}`, { force: true });
  child = null;
});

/**
 * The answer, and where the futex lies, once the program waits for it. On a busy machine the first answers may be about
 * its start, or less sure than others: `fits` says which one is meant, and the last one is given where none fits.
 */
async function ask(mode: 'named' | 'removed', fits: (verdict: Verdict) => boolean) {
  // In a session of its own: whatever else of ours cannot be read is no relative of it.
  child = spawn(await compile('named-semaphore'), [mode], { stdio: 'ignore', detached: true });
  const { pid = -1 } = child;
  let last: { verdict: Verdict; mapping: string | null } | null = null;
  for (const endMs = performance.now() + patienceMs; performance.now() < endMs; await delay(50)) {
    const { answer, snapshot } = await whyWithSnapshot(pid);
    const call = snapshot.processes.find((process) => process.pid === pid)?.threads[0]?.call;
    if (call === undefined || isAbsent(call) || call.at !== 'call' || call.futex === undefined) continue;
    const { verdict } = answer;
    last = { verdict, mapping: call.futex.mapping };
    if (verdict !== null && fits(verdict)) break;
  }
  if (last === null) throw new Error('it never waited');
  return last;
}

test('a named semaphore is shown as deleted in maps, and any process may post it', async () => {
  const { verdict, mapping } = await ask('named', ({ kind }) => kind === 'deadlock');
  expect(mapping).toMatch(/^\S+ \/dev\/shm\/sem\.\w+ deleted$/);
  expect(verdict).toMatchObject({ kind: 'deadlock', certainty: 'high' });
});

/** A directory that another user hides may have another name of the file. */
const hidesNames = readdirSync('/dev/shm', { withFileTypes: true }).some((entry) => {
  if (!entry.isDirectory()) return false;
  try {
    readdirSync(`/dev/shm/${entry.name}`);
    return false;
  } catch {
    return true;
  }
});

test.skipIf(hidesNames)(
  'a semaphore whose name was removed can be posted by nothing else, for any user',
  async () => {
    const { verdict, mapping } = await ask('removed', ({ certainty }) => certainty === 'certain');
    expect(mapping).toMatch(/ nameless$/);
    expect(verdict).toMatchObject({ kind: 'deadlock', certainty: 'certain' });
  },
);
