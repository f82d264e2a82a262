import fs from 'node:fs';
import path from 'node:path';
import { Failure } from '../../model/failure.js';
import type { Orphan, OrphanKill, OrphanResult } from '../../model/orphan.js';
import type { Receipt } from '../../model/run/receipt.js';
import { readRun } from '../../orphans/read-run.js';
import { killOf } from '../../orphans/stop.js';
import { type KnownRun, orphansThere } from '../../orphans/there.js';
import { notProven, troubles } from '../../orphans/words.js';
import { findPlace } from '../../places/find-place.js';
import { Place } from '../../places/place.js';
import { orphansText } from '../../places/remote/orphans-text.js';
import { PlaceSession } from '../../places/session.js';
import { PlaceTree } from '../../run/place/place-tree.js';
import { RunDirectory } from '../../store/run-directory.js';
import { stateHome } from '../../store/state-home.js';

/** Reading the environments of hundreds of processes takes a while. */
const scanMsMax = 60_000;

export interface OrphansOnOptions {
  home?: string | undefined;
  olderThanMs?: number | undefined;
}

interface KillOnOptions extends OrphansOnOptions {
  dryRun: boolean;
  force: boolean;
  graceMs: number;
}

/** Processes of another place that outlived their run. Throws a Failure. */
export function findOrphansOn(on: string, options: OrphansOnOptions): Promise<Orphan[]> {
  return inPlace(on, (session) => find(session, options));
}

/** Stops them there: confirmed ones only, unless forced. */
export function killOrphansOn(on: string, options: KillOnOptions): Promise<OrphanKill> {
  return inPlace(on, async (session) => {
    const results: OrphanResult[] = [];
    const receipts: Receipt[] = [];
    for (const orphan of await find(session, options)) {
      if (!options.force && orphan.classification !== 'confirmed')
        results.push({ ...orphan, result: 'skipped', because: notProven });
      else if (options.dryRun) results.push({ ...orphan, result: 'would-kill', because: null });
      else results.push(await stop(session, orphan, options.graceMs, receipts));
    }
    return killOf(results, joined(receipts));
  });
}

async function inPlace<T>(on: string, work: (session: PlaceSession) => Promise<T>): Promise<T> {
  const session = new PlaceSession(new Place(findPlace(on)));
  try {
    return await work(session);
  } finally {
    session.close();
  }
}

async function find(session: PlaceSession, { home, olderThanMs = 0 }: OrphansOnOptions): Promise<Orphan[]> {
  const { status, text } = await session.request(orphansText, scanMsMax);
  if (status !== 0) {
    const { name } = session.place;
    throw new Failure(
      'no-place',
      `${name} could not list its processes: ${text.slice(0, 200)}`,
      `see: unstuck doctor --on ${name}`,
    );
  }
  const stored = stateHome(home === undefined ? process.env : { UNSTUCK_HOME: home });
  const known = (id: string) => knownHere(stored, id);
  return orphansThere(text.split('\n'), known).filter(({ ageMs }) => ageMs >= olderThanMs);
}

/** A record that cannot be read proves nothing: the run counts as alive. */
function knownHere(home: string, id: string): KnownRun {
  const directory = new RunDirectory(path.join(home, 'runs'), id);
  if (!fs.existsSync(directory.path)) return null;
  const { facts, about, isElsewhere } = readRun(directory);
  return isElsewhere ? { isOver: facts.state === 'over', about } : null;
}

async function stop(
  session: PlaceSession,
  orphan: Orphan,
  graceMs: number,
  receipts: Receipt[],
): Promise<OrphanResult> {
  const { pid, startTicks, run } = orphan;
  const leader = { bootId: session.place.name, pid, startTicks };
  const tree = new PlaceTree({ leader, session, runId: run?.id ?? '', isLost: () => false });
  const receipt = await tree.stopPart({ pid, startTicks }, { graceMs });
  receipts.push(receipt);
  const entry = receipt.processes.find((one) => one.pid === pid && one.startTicks === startTicks);
  const result = entry?.result ?? 'ended';
  return result === 'ended'
    ? { ...orphan, result: 'killed', because: null }
    : { ...orphan, result: 'failed', because: troubles[result] };
}

/** null: nothing was signalled. */
function joined(receipts: readonly Receipt[]): Receipt | null {
  const [first] = receipts;
  if (first === undefined) return null;
  return {
    ...first,
    tookMs: receipts.reduce((sum, { tookMs }) => sum + tookMs, 0),
    processes: receipts.flatMap(({ processes }) => processes),
    survivors: receipts.flatMap(({ survivors }) => survivors),
  };
}
