import { isDeepStrictEqual } from 'node:util';
import type { ProcessSample } from '../../model/facts/sample.js';
import type { PlaceAddress } from '../../model/place.js';
import type { TreeSample } from '../../model/run/health.js';
import type { PlaceSession } from '../../places/session.js';
import { stepsIn } from '../../places/words-in.js';
import { collect, type PlaceSample, type RunScript, samplePlace, snapshotOf } from '../../probe/captures.js';
import type { SnapshotPermit, SnapshotWish } from '../health/snapshot-permit.js';
import { type Elsewhere, TreeNumbers, type TreeSource } from '../health/tree-sampler.js';

/** A capture of a large tree takes a while. */
const captureMsMax = 60_000;
/** No person waits for it, and what is cut off proves nothing. */
const captureLimits = { seconds: 45 };
/** Times as long as a sample took, the next one waits. The same holds for a capture that failed. */
const restShare = 9;

/** The tree of a run in another place, whose counters a plain shell reads there. */
export class PlaceSampler extends TreeNumbers implements TreeSource {
  readonly #leader: number;
  readonly #run: RunScript;
  readonly #runLong: RunScript;
  readonly elsewhere: Elsewhere;
  #names: ReadonlyMap<number, string> = new Map();
  #next: { atMs: number; sample: PlaceSample } | null = null;
  #startTicks: number | null = null;
  #restUntilMs = 0;
  #captureAfterMs = 0;

  /** Counters come through the session, and a whole capture through a connection of its own. */
  static through(session: PlaceSession, leader: number): PlaceSampler {
    const { place } = session;
    const long = { timeoutMs: captureMsMax, quietMs: place.answerMs };
    return new PlaceSampler(
      leader,
      place.address,
      async (script) => {
        // A lost connection is opened again in its own time.
        if (!session.isOpen) throw place.silent(0);
        return Buffer.from((await session.request(script)).text);
      },
      async (script) => (await place.run(script, long)).stdout,
    );
  }

  /** `runLong`: for a capture, which prints much, and more than text. */
  constructor(leader: number, address: PlaceAddress, run: RunScript, runLong = run) {
    super(leader);
    this.elsewhere = {
      nameOf: (pid) => this.#names.get(pid) ?? null,
      steps: (steps) => stepsIn(address, steps),
    };
    this.#leader = leader;
    this.#run = run;
    this.#runLong = runLong;
  }

  /**
   * Fetches the data of the next tick. false: there is no tick, because the place did not answer, or answers so slowly
   * that it needs a rest: a sample takes at most a tenth of the time.
   */
  async fetch(): Promise<boolean> {
    const beganMs = performance.now();
    if (beganMs < this.#restUntilMs) return false;
    const pids = new Set([this.#leader, ...this.pids]);
    const sample = await samplePlace([...pids], this.#run).catch(() => null);
    const atMs = performance.now();
    this.#restUntilMs = atMs + (atMs - beganMs) * restShare;
    if (sample === null) return false;
    this.#next = { atMs, sample };
    this.#startTicks ??= this.#leaderSample?.startTicks ?? null;
    return true;
  }

  /** When the leader began, by the clock there; null: it was never seen. */
  get startTicks(): number | null {
    return this.#startTicks;
  }

  /** The last sample did not have the leader any more. */
  get hasEnded(): boolean {
    const leader = this.#leaderSample;
    if (this.#next === null || this.#startTicks === null) return false;
    return leader === undefined || leader.startTicks !== this.#startTicks || leader.state === 'Z';
  }

  get #leaderSample(): ProcessSample | undefined {
    return this.#next?.sample.processes.find(({ pid }) => pid === this.#leader);
  }

  tick(): TreeSample {
    if (this.#next === null) throw new Error('a tick without a sample');
    const { atMs, sample } = this.#next;
    this.#names = sample.names;
    const before = new Map(this.processes.map((process) => [process.pid, process]));
    const processes = sample.processes.map((now) => sameOr(before.get(now.pid), now));
    const there = new Map(processes.map(({ pid, startTicks }) => [pid, startTicks]));
    const ended = [...before.values()].filter(({ pid, startTicks }) => there.get(pid) !== startTicks);
    return this.next({ atMs, processes, ended, unread: [] });
  }

  skip(): void {
    this.tick();
  }

  close(): void {}

  /** A snapshot of the tree there. While the place reads and sends, this program does other things: they do not count. */
  readonly admit = ({ pid }: SnapshotWish): SnapshotPermit | null => {
    const beganMs = performance.now();
    if (beganMs < this.#captureAfterMs) return null;
    let before: NodeJS.CpuUsage | undefined;
    const run: RunScript = async (script) => {
      const printed = await this.#runLong(script);
      before = process.cpuUsage();
      return printed;
    };
    const snapshot = collect(pid, run, captureLimits).then(snapshotOf);
    snapshot.catch(() => {
      const nowMs = performance.now();
      this.#captureAfterMs = nowMs + (nowMs - beganMs) * restShare;
    });
    return {
      snapshot,
      end() {
        const { user, system } = process.cpuUsage(before);
        return before === undefined ? 0 : (user + system) / 1000;
      },
    };
  };

  /** Open files would cost more than all the rest. */
  protected override filesOf(): Pick<TreeSample, 'openFiles' | 'connections'> {
    return { openFiles: null, connections: null };
  }

  protected override stdinOf(): null {
    return null;
  }
}

/** A process that did not run has the same sample object again. */
function sameOr(before: ProcessSample | undefined, now: ProcessSample): ProcessSample {
  return before !== undefined && isDeepStrictEqual(before, now) ? before : now;
}
