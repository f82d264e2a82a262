import os from 'node:os';
import type { ProcessIdentity } from '../model/identity.js';
import type { OrphanRun } from '../model/orphan.js';
import type { RunRecord } from '../model/run.js';
import { ticksPerSecond } from '../model/sample.js';
import { bootId } from '../probe/linux/identify.js';
import { isAlive } from '../probe/linux/is-alive.js';
import { parseStat } from '../probe/linux/stat.js';
import { readLineage } from '../store/lineage.js';
import { readRecord } from '../store/read-record.js';
import type { RunDirectory } from '../store/run-directory.js';
import { standingOf } from '../supervise/background/standing.js';
import type { RunFacts } from './facts.js';

/** A run as its directory and the process table show it. */
export interface RunReading {
  facts: RunFacts;
  /** For people. */
  about: OrphanRun;
  /** What is wrong with its record; null: nothing. */
  fault: string | null;
}

/** One that is on disk. */
export function readRun(directory: RunDirectory): RunReading {
  const content = readRecord(directory.readRecord());
  const [record, fault] = typeof content === 'string' ? [null, content] : [content, null];
  const stat = statIn(directory);
  const boot = record?.supervisor?.bootId ?? record?.identity?.bootId ?? '';
  const isThisBoot = boot !== '' && boot === bootId();
  const state = record === null ? stateUnrecorded(directory) : stateOf(directory, record, boot);
  const exit = directory.readExit();
  return {
    facts: {
      id: directory.id,
      state,
      // Without a record nothing tells of which boot these numbers are.
      leader: isThisBoot && stat !== null ? { pid: stat.pid, startTicks: stat.startTicks } : null,
      keeperSession: isThisBoot || record === null ? keeperSessionIn(stat) : null,
      endedTicks: exit === null ? null : ticksAt(directory.endedMs(exit)),
      lineage: isThisBoot ? readLineage(directory) : [],
    },
    about: aboutOf(directory.id, record),
    fault,
  };
}

/** One whose directory is gone, or was never ours to see. */
export function unknownRun(id: string, state: 'gone' | 'lives'): RunReading {
  const facts = { id, state, leader: null, keeperSession: null, endedTicks: null, lineage: [] };
  return { facts, about: aboutOf(id, null), fault: null };
}

/** The command when it was about to start, still in the session of the shim; null: it never was. */
export function statIn(directory: RunDirectory): { pid: number; startTicks: number; session: number } | null {
  const line = directory.readLeader();
  return line === '' ? null : parseStat(Buffer.from(line, 'latin1'));
}

/** The command is not in a session of its own yet when it is written down. */
function keeperSessionIn(stat: ReturnType<typeof statIn>): number | null {
  return stat === null || stat.session === stat.pid ? null : stat.session;
}

function stateOf(directory: RunDirectory, record: RunRecord, boot: string): RunFacts['state'] {
  if (record.background !== null) return standingOf(directory, boot).kind === 'ended' ? 'over' : 'lives';
  const { supervisor } = record;
  if (supervisor !== null && isAlive(supervisor)) return 'lives';
  if (directory.readExit() !== null) return 'over';
  const stat = statIn(directory);
  const leader: ProcessIdentity | null = stat === null ? record.identity : { ...stat, bootId: boot };
  if (leader === null || !isAlive(leader)) return 'over';
  // Who looks after it was never known: that is no proof that nobody does.
  return supervisor === null ? 'lives' : 'adrift';
}

/** A record that cannot be read proves nothing: what may live does. */
function stateUnrecorded(directory: RunDirectory): RunFacts['state'] {
  const boot = bootId();
  const { kind } = standingOf(directory, boot);
  if (kind !== 'unclaimed') return kind === 'ended' ? 'over' : 'lives';
  const stat = statIn(directory);
  return stat !== null && !isAlive({ ...stat, bootId: boot }) ? 'over' : 'lives';
}

function ticksAt(wallMs: number): number {
  return Math.ceil((os.uptime() - (Date.now() - wallMs) / 1000) * ticksPerSecond);
}

function aboutOf(id: string, record: RunRecord | null): OrphanRun {
  return {
    id,
    label: record?.label ?? null,
    command: record?.command ?? null,
    cwd: record?.cwd ?? null,
    owner: record?.background?.owner ?? null,
    startedAt: record?.startedAt ?? null,
  };
}
