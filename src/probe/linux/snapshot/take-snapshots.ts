import { setTimeout as delay } from 'node:timers/promises';
import type { Snapshot } from '../../../model/facts/snapshot.js';
import type { SnapshotOptions } from '../../probe.js';
import { FileHolders } from '../holders/file-holders.js';
import { FileIdentities } from '../holders/file-identities.js';
import { ForkFamilies } from '../holders/fork-families.js';
import { SharedSearch } from '../holders/shared-search.js';
import { Tracees } from '../holders/tracees.js';
import type { Kernel } from '../kernel/kernel.js';
import { liveKernel } from '../kernel/live.js';
import { SocketTable } from '../sockets/sockets.js';
import { UnreadMessages } from '../sockets/unread-messages.js';
import { SnapshotReading } from './snapshot-reading.js';
import { Turn } from './turn.js';

/** Long enough for a busy thread to show, short enough that a person does not notice. */
const gapMsDefault = 80;
/** The share of the gap for processes that are read last, after a long search: a busy process has to show, too. */
const lastGapShare = 1 / 2;

/** Other processes are looked at so often during the gap. A file that goes round is overlooked by all of them hardly ever. */
const looks = 4;

/** New processes are searched at most this often, should there always be more. */
const newcomerRoundsMax = 3;

/** A snapshot that a caller waits for. */
interface Wanted {
  readonly pid: number;
  answer(snapshot: Snapshot): void;
  fail(reason: unknown): void;
}

/**
 * Snapshots of several processes together: all first passes, one search for the other ends of everything that is waited
 * for, one gap, all second passes. Each caller gets its answer as soon as it is complete; for a process that does not
 * exist, a Failure. `holders`: the memory of earlier searches.
 */
export function takeSnapshots(
  pids: readonly number[],
  options: SnapshotOptions = {},
  holders?: FileHolders,
  kernel: Kernel = liveKernel(),
): Promise<Snapshot>[] {
  const wanted: Wanted[] = [];
  const snapshots = pids.map(
    (pid) => new Promise<Snapshot>((answer, fail) => wanted.push({ pid, answer, fail })),
  );
  takeAll(wanted, options, kernel, holders).catch((error: unknown) => {
    for (const { fail } of wanted) fail(error);
  });
  return snapshots;
}

async function takeAll(
  wanted: readonly Wanted[],
  options: SnapshotOptions,
  kernel: Kernel,
  remembered: FileHolders | undefined,
): Promise<void> {
  const readings = new Map<Wanted, SnapshotReading>();
  // With a single target, the files of the tree need not be read a second time.
  const except = wanted.length > 1 ? () => false : (pid: number) => hasRead(readings.values(), pid);
  const { pid: readerPid } = kernel.reader();
  const identities = new FileIdentities(kernel.native);
  const search = new SharedSearch(
    remembered ??
      new FileHolders({
        except,
        files: kernel.files,
        native: kernel.native,
        readerPid,
      }),
    kernel.native,
    identities,
    (session) => {
      for (const reading of readings.values()) if (reading.hasSession(session)) return true;
      return false;
    },
  );
  const sockets = new SocketTable(kernel);
  const moment = {
    executables: new Map(),
    families: new ForkFamilies(kernel.files),
    tracees: new Tracees(kernel.files),
    identities,
    messages: new UnreadMessages(kernel.native),
    readerPid,
  };
  try {
    await forEach(wanted, (one) => {
      const reading = new SnapshotReading(one.pid, options, search, sockets, moment, kernel);
      readings.set(one, reading);
      reading.readTree();
    });
    const rest = () => [...readings.keys()];
    await forEach(rest(), (one) => readings.get(one)?.readOutsiders());
    // Once all are read, a process that forks shows as moved; a process that forked before has a child by now.
    for (let round = 0, more = true; more && round < newcomerRoundsMax; round += 1) {
      const pids = await search.newcomers();
      more = false;
      await forEach(pids.length === 0 ? [] : rest(), async (one) => {
        if (await readings.get(one)?.readNewcomers(pids)) more = true;
      });
    }
    await forEach(rest(), (one) => readings.get(one)?.compare());
    await waitGap([...readings.values()].at(-1)?.beganMs, options, () => {
      if (rest().some((one) => readings.get(one)?.mayBeProof === true)) search.lookAgain();
    });
    await forEach(rest(), (one) => {
      const snapshot = readings.get(one)?.finish();
      if (snapshot !== undefined) one.answer(snapshot);
    });
  } finally {
    for (const reading of readings.values()) reading.close();
  }

  /** A snapshot that fails is left out of all that follows. */
  async function forEach(all: readonly Wanted[], read: (one: Wanted) => void | Promise<void>): Promise<void> {
    const turn = new Turn();
    for (const one of all) {
      if (turn.isOver) await turn.next();
      try {
        await read(one);
      } catch (error) {
        readings.get(one)?.close();
        readings.delete(one);
        one.fail(error);
      }
    }
  }
}

function hasRead(readings: Iterable<SnapshotReading>, pid: number): boolean {
  for (const reading of readings) if (reading.hasRead(pid)) return true;
  return false;
}

/** From the first pass over the last tree, so that no gap is shorter. */
async function waitGap(
  beganMs: number | undefined,
  options: SnapshotOptions,
  lookAgain: () => void,
): Promise<void> {
  if (beganMs === undefined) return;
  const { gapMs = gapMsDefault, signal } = options;
  const fromMs = performance.now();
  const left = Math.max(gapMs * lastGapShare, gapMs - (fromMs - beganMs));
  for (let look = 1; look <= looks; look += 1) {
    const untilMs = fromMs + (left * look) / looks;
    await delay(Math.max(0, untilMs - performance.now()), undefined, { signal });
    lookAgain();
  }
}
