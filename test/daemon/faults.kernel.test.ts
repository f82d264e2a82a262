import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';
import { fc } from '@fast-check/vitest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Failure } from '../../src/model/failure.js';
import { until } from '../support/background-home.js';
import { findTool } from '../support/find-tool.js';
import { patienceMs } from '../support/patience.js';
import { removeDirectory } from '../support/remove-directory.js';
import { compileFaults, FaultHome, type Subject } from './fault-home.js';

/** UNSTUCK_FAULTS_S: for how many seconds to go on; without it a few rounds. */
const longS = Number(process.env.UNSTUCK_FAULTS_S ?? 0);
const roundsDefault = 2;
const troubleMs = 2500;

const compiler = findTool('gcc');
let library = '';

beforeAll(() => {
  if (compiler !== null) library = compileFaults(compiler);
});
afterAll(async () => {
  if (library !== '') await removeDirectory(path.dirname(library));
});

interface Round {
  seed: number;
  /** Of 1000 calls, those that fail. */
  perMille: number;
  killsDaemon: boolean;
}

const rounds = fc.record<Round>({
  seed: fc.nat(2 ** 31),
  perMille: fc.constantFrom(20, 100, 300, 700, 1000),
  killsDaemon: fc.boolean(),
});

/** One home from beginning to end; what is found wrong on the way. */
async function live({ seed, perMille, killsDaemon }: Round): Promise<string[]> {
  const home = new FaultHome(library, seed);
  const wrong: string[] = [];
  try {
    await home.startDaemon();
    await home.stranger();
    for (let i = 0; i < 4; i += 1) await home.begin(null);
    for (let i = 0; i < 4; i += 1) await home.begin(i + 3, 0.3 + i / 2);
    await home.stranger();
    home.faults(perMille);
    if (killsDaemon) {
      await home.killDaemon();
      await home.startDaemon();
    }
    wrong.push(...(await underFaults(home)));
    home.faults(0);
    wrong.push(...(await afterwards(home)));
    if (!home.strangersAlive) wrong.push('a stranger was signalled');
    return wrong;
  } finally {
    await home.end();
  }
}

/** Asks for this and that; answers may be errors, but never wrong. */
async function underFaults(home: FaultHome): Promise<string[]> {
  const wrong: string[] = [];
  const signal = AbortSignal.timeout(troubleMs);
  const ask = async (work: Promise<unknown>) => work.catch(() => null);
  const looking = (async () => {
    while (!signal.aborted) {
      const list = await home.call('list', {}, { signal }).catch(() => null);
      if (list !== null) wrong.push(...home.wrongIn(list.runs));
      wrong.push(...home.lostOnDisk());
      await delay(50);
    }
  })();
  const [victim, spared] = home.subjects as [Subject, Subject];
  victim.isKilled = true;
  const killed = await home.call('kill', { id: victim.id, graceS: 0 }, { signal }).catch(() => null);
  if (killed?.status === 'already-exited' && home.isAlive(victim))
    wrong.push('a living run had already ended');
  if (killed?.status === 'killed' && home.isAlive(victim)) wrong.push('a run that was killed lives');
  await ask(home.call('poll', { id: spared.id }, { signal }));
  await ask(home.call('notices', { consumer: 'x', limit: 100, timeoutS: 0 }, { signal }));
  await looking;
  return wrong;
}

/** Everything heals: what lives runs, what has ended is told once, as it was. */
async function afterwards(home: FaultHome): Promise<string[]> {
  const [victim, ...others] = home.subjects as [Subject, ...Subject[]];
  const isLiving = ({ code, isKilled }: Subject) => code === null && !isKilled;
  let killed: unknown = null;
  const isAnswered = async () => {
    killed = await home.call('kill', { id: victim.id, graceS: 0 }).catch((error: Error) => error);
    // It has ended, and was not kept.
    const isForgotten = killed instanceof Failure && killed.code === 'no-such-run';
    return isForgotten || !(killed instanceof Error);
  };
  await until(isAnswered, 'an answer to a kill');
  let heard: { runId: string | null; exit?: { code: number | null } | undefined }[] = [];
  const told = async () => {
    const { notices } = await home.call('notices', { consumer: 'test', limit: 1000, timeoutS: 0 });
    heard = notices;
    return others.filter(({ code }) => code !== null).every(({ id }) => notices.some((n) => n.runId === id));
  };
  const isReported = await until(told, 'the end of all that ended').then(
    () => true,
    () => false,
  );
  // A run that could not be read is tried again after a while.
  let { runs, unreadable } = await home.call('list', {});
  const isRead = async () => {
    ({ runs, unreadable } = await home.call('list', {}));
    return unreadable.length === 0;
  };
  await until(isRead, 'all runs are read').catch(() => {});
  const wrong = [...home.wrongIn(runs), ...home.lostOnDisk()];
  if (!isReported) wrong.push(`not every end was told: ${heard.map(({ runId }) => runId).join(', ')}`);
  for (const { directory, reason } of unreadable) wrong.push(`${directory} is set aside: ${reason}`);
  for (const subject of others.filter(isLiving)) {
    const status = runs.find(({ id }) => id === subject.id)?.status;
    if (!home.isAlive(subject)) wrong.push(`${subject.id} was ended`);
    if (status !== 'running') wrong.push(`${subject.id} lives and is ${status}`);
  }
  if (home.isAlive(victim)) wrong.push(`what was to be killed lives: ${inspect(killed, { depth: 5 })}`);
  for (const { runId, exit } of heard) {
    const subject = home.subjects.find(({ id }) => id === runId);
    if (subject === undefined || subject.isKilled) continue;
    if (exit?.code !== subject.code) wrong.push(`${runId} is told to have ended with ${exit?.code}`);
  }
  const ids = heard.map(({ runId }) => runId);
  if (new Set(ids).size < ids.length) wrong.push(`an end was told twice: ${ids.join(', ')}`);
  return wrong;
}

describe('a daemon whose reads and writes fail', () => {
  test.skipIf(compiler === null)(
    'reports no end that is not on disk, removes no running run, signals no stranger, and recovers',
    async () => {
      const endMs = performance.now() + longS * 1000;
      const seed = longS > 0 ? Date.now() : 7;
      const samples = fc.sample(rounds, { numRuns: 10_000, seed });
      for (const [index, round] of samples.entries()) {
        if (longS > 0 ? performance.now() > endMs : index >= roundsDefault) break;
        if (longS > 0) process.stderr.write(`round ${index}: ${JSON.stringify(round)}\n`);
        expect(await live(round), JSON.stringify(round)).toEqual([]);
      }
    },
    // Longer than any wait for a condition.
    longS * 1000 + 3 * patienceMs,
  );
});
