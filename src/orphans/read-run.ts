import os from 'node:os';
import type { ProcessIdentity } from '../model/facts/identity.js';
import { knownValue } from '../model/facts/reading.js';
import { ticksPerSecond } from '../model/facts/sample.js';
import type { OrphanRun } from '../model/orphan.js';
import type { Exit, RunRecord } from '../model/run/run.js';
import { bootId, livenessOf, parseStat } from '../probe/processes.js';
import { standingOf } from '../run/standing.js';
import { readLineage } from '../store/lineage.js';
import { readRecord } from '../store/read-record.js';
import type { RunDirectory } from '../store/run-directory.js';
import type { RunFacts } from './facts.js';

/** A run as read from its directory and the process table. */
export interface RunReading {
  facts: RunFacts;
  /** For messages. */
  about: OrphanRun;
  /** Why its record cannot be read; null: it can. */
  fault: string | null;
  /** A process that a program made known itself. Its directory has nothing else to keep. */
  isTracked: boolean;
  /** Its processes are in another place. */
  isElsewhere: boolean;
  /** In the background on this machine: it lives as long as its command. Another run lives no longer than its supervisor. */
  isBackground: boolean;
}

/** Reads a run from disk. Throws a Failure when it cannot be read now: nothing may be concluded from that. */
export function readRun(directory: RunDirectory): RunReading {
  const content = readRecord(knownValue(directory.readRecord(), `run.json of ${directory.id}`));
  const [record, fault] = typeof content === 'string' ? [null, content] : [content, null];
  const stat = statIn(directory);
  const boot = record?.supervisor?.bootId ?? record?.identity?.bootId ?? '';
  const isThisBoot = boot !== '' && boot === bootId();
  const state = record === null ? stateUnrecorded(directory) : stateOf(directory, record, boot);
  const exit = exitOf(directory);
  return {
    facts: {
      id: directory.id,
      state,
      // Without a record the boot of these pids is not known.
      leader: isThisBoot && stat !== null ? { pid: stat.pid, startTicks: stat.startTicks } : null,
      shimSession: hasShim(record, isThisBoot) ? shimSessionIn(stat) : null,
      endedTicks: exit === null ? null : ticksAt(directory.endedMs(exit)),
      lineage: isThisBoot ? readLineage(directory) : [],
    },
    about: aboutOf(directory.id, record),
    fault,
    isTracked: record?.tracked === true,
    isElsewhere: record?.background?.on !== undefined,
    isBackground: record?.background != null && record.background.on === undefined,
  };
}

function hasShim(record: RunRecord | null, isThisBoot: boolean): boolean {
  return record === null || (isThisBoot && record.tracked !== true);
}

/** A run whose directory is gone or is not ours to read. */
export function unknownRun(id: string, state: 'gone' | 'lives'): RunReading {
  const facts = { id, state, leader: null, shimSession: null, endedTicks: null, lineage: [] };
  const rest = { fault: null, isTracked: false, isElsewhere: false, isBackground: false };
  return { facts, about: aboutOf(id, null), ...rest };
}

/** The command just before it started, still in the session of the shim; null: it was never about to start. */
export function statIn(directory: RunDirectory): { pid: number; startTicks: number; session: number } | null {
  const line = knownValue(directory.readLeader(), `pid of ${directory.id}`);
  return line === '' ? null : parseStat(Buffer.from(line, 'latin1'));
}

/** The stat line is written before the command gets its own session, so its session is that of the shim. */
function shimSessionIn(stat: ReturnType<typeof statIn>): number | null {
  return stat === null || stat.session === stat.pid ? null : stat.session;
}

function exitOf(directory: RunDirectory): Exit | null {
  return knownValue(directory.readExit(), `exit of ${directory.id}`);
}

function stateOf(directory: RunDirectory, record: RunRecord, boot: string): RunFacts['state'] {
  if (record.background?.on !== undefined) return hasEndedThere(directory) ? 'over' : 'lives';
  if (record.background !== null) return standingOf(directory, boot).kind === 'ended' ? 'over' : 'lives';
  const { supervisor } = record;
  if (supervisor !== null && livenessOf(supervisor) !== 'ended') return 'lives';
  if (exitOf(directory) !== null) return 'over';
  const stat = statIn(directory);
  const leader: ProcessIdentity | null = stat === null ? record.identity : { ...stat, bootId: boot };
  const liveness = leader === null ? 'ended' : livenessOf(leader);
  if (liveness === 'ended') return 'over';
  // A shim that was never known or cannot be read now may still be alive.
  return supervisor === null || liveness === 'unknown' ? 'lives' : 'adrift';
}

/** Processes of a container on this machine can be seen here, so a run in another place must not count as over. */
function hasEndedThere(directory: RunDirectory): boolean {
  return knownValue(directory.hasReport, `report of ${directory.id}`);
}

/** An unreadable record proves nothing: a run that may be alive counts as alive. */
function stateUnrecorded(directory: RunDirectory): RunFacts['state'] {
  const boot = bootId();
  const { kind } = standingOf(directory, boot);
  if (kind !== 'unclaimed') return kind === 'ended' ? 'over' : 'lives';
  const stat = statIn(directory);
  return stat !== null && livenessOf({ ...stat, bootId: boot }) === 'ended' ? 'over' : 'lives';
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
