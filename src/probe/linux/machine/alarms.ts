import { isAbsent } from '../../../model/facts/absence.js';
import type { AlarmFacts } from '../../../model/facts/snapshot.js';
import { readKeptText } from '../proc/proc-file.js';

/** Timers of the kernel with the names of their functions; a kernel without names prints addresses. */
const named = /, [a-z_]\w*, S:/;

/** How far the clock of start times is ahead of the clock of timers: the time the machine slept. */
const slept = /^ *\.index: +2\n(?:.*\n)*? *\.offset: +(\d+) nsecs/m;

const row = /<([0-9a-f]+)>, it_real_fn,.*\n *# expires at (\d+)-/g;

const alarmsMax = 1000;

const nsPerMs = 1e6;

/** An alarm as the list shows it. `key` stays the same until it is set anew. */
export interface ListedAlarm {
  key: string;
  leftMs: number;
  endsMs: number;
}

/**
 * The alarms (setitimer or alarm) of all processes of this machine, from /proc/timer_list, which only root can read. It
 * does not show their processes. null: not known. In a container an empty file may stand in its place.
 */
export function alarmsIn(timerList: string): ListedAlarm[] | null {
  if (!timerList.startsWith('Timer List Version') || !named.test(timerList)) return null;
  const now = Number(/^now at (\d+) nsecs/m.exec(timerList)?.[1] ?? Number.NaN);
  const aheadMs = Number(slept.exec(timerList)?.[1] ?? 0) / nsPerMs;
  const alarms: ListedAlarm[] = [];
  for (const [, address = '', ends = ''] of timerList.matchAll(row)) {
    if (alarms.length === alarmsMax) break;
    const endsMs = Number(ends) / nsPerMs;
    const leftMs = Math.max(0, endsMs - now / nsPerMs);
    alarms.push({ key: `${address} ${ends}`, leftMs, endsMs: endsMs + aheadMs });
  }
  const listed = timerList.match(/\bit_real_fn\b/g)?.length ?? 0;
  return alarms.length === Math.min(listed, alarmsMax) ? alarms : null;
}

interface KnownAlarm {
  /** When it was first listed. */
  seenAt: number;
  /** A time at which it was not there yet; null: not known. */
  notYetAt: number | null;
  endsAt: number;
}

/**
 * Alarms from reading to reading: an alarm that was not there before was set since, and a process that began after it was
 * listed did not set it. A list may lack an alarm for once, so that only two lists without it count, and what was listed
 * counts as there until it ends.
 */
export class AlarmMemory {
  /** Times of the last two readings. */
  #readAt: [before: number | null, last: number | null] = [null, null];
  #known = new Map<string, KnownAlarm>();

  take(listed: readonly ListedAlarm[], atMs: number): AlarmFacts[] {
    const [notYetAt, lastAt] = this.#readAt;
    this.#readAt = [lastAt, atMs];
    for (const [key, { endsAt }] of this.#known) if (endsAt < atMs) this.#known.delete(key);
    return listed.map(({ key, leftMs, endsMs }) => {
      const known = this.#known.get(key) ?? { seenAt: atMs, notYetAt, endsAt: atMs + leftMs };
      this.#known.set(key, known);
      const youngerThanMs = known.notYetAt === null ? null : atMs - known.notYetAt;
      return { leftMs, endsMs, youngerThanMs, olderThanMs: atMs - known.seenAt };
    });
  }

  /** null: nothing was read yet. */
  get lastReadAt(): number | null {
    return this.#readAt[1];
  }
}

const memory = new AlarmMemory();

/**
 * The kernel lists timer by timer and finds each by its index: when an earlier timer ends meanwhile, the list lacks a
 * timer. On a machine with many short sleeps and busy CPUs 4 of 1000 lists lacked a given alarm.
 */
const readsPerList = 3;

/** What at least one of several lists shows. null: not known. */
export function listAlarms(
  read = () => readKeptText('/proc/timer_list'),
  readsMax = readsPerList,
): ListedAlarm[] | null {
  const listed = new Map<string, ListedAlarm>();
  for (let reads = 0; reads < readsMax; reads += 1) {
    const text = read();
    const alarms = isAbsent(text) ? null : alarmsIn(text);
    if (alarms === null) return null;
    for (const alarm of alarms) listed.set(alarm.key, alarm);
  }
  return [...listed.values()];
}

/** Ticks of many runs share a reading, which takes 0.3 ms of CPU. */
const rememberAgainMs = 500;
/**
 * The kernel counts from the first timer to print each: the list of 1,000 timers takes 50 times as long as that of 100. All
 * readings together take at most this share of a core.
 */
const rememberShare = 1 / 2000;
let rememberFromMs = Number.NEGATIVE_INFINITY;

/** Takes note of the alarms of now, so that later snapshots know which are older than a process, or younger than its last run. */
export function rememberAlarms(): void {
  const atMs = performance.now();
  const { lastReadAt } = memory;
  if (atMs < rememberFromMs || (lastReadAt !== null && atMs - lastReadAt < rememberAgainMs)) return;
  const cpuBefore = process.cpuUsage();
  const listed = listAlarms(undefined, 1);
  const { user, system } = process.cpuUsage(cpuBefore);
  rememberFromMs = atMs + (user + system) / 1000 / rememberShare;
  if (listed !== null) memory.take(listed, atMs);
}

/** A reading of the alarms, and its time. */
interface AlarmReading {
  readonly atMs: number;
  /** null: not known. */
  readonly alarms: readonly AlarmFacts[] | null;
}

/** The alarms for the snapshots of one moment, which share a reading: the kernel takes milliseconds for a long list. */
export class AlarmReadings {
  readonly #list: () => ListedAlarm[] | null;
  #reading: AlarmReading | null = null;

  constructor(list: () => ListedAlarm[] | null = listAlarms) {
    this.#list = list;
  }

  /** As of an earlier moment, after which no relevant process has run. null: not known. */
  since(sinceMs: number): AlarmFacts[] | null {
    if (this.#reading === null || this.#reading.atMs < sinceMs) this.#reading = this.#read();
    const { atMs, alarms } = this.#reading;
    if (alarms === null) return null;
    const laterMs = atMs - sinceMs;
    return alarms.map(({ leftMs, endsMs, youngerThanMs, olderThanMs = 0 }) => ({
      leftMs: leftMs + laterMs,
      endsMs,
      youngerThanMs: youngerThanMs === null ? null : Math.max(0, youngerThanMs - laterMs),
      olderThanMs: Math.max(0, olderThanMs - laterMs),
    }));
  }

  #read(): AlarmReading {
    const atMs = performance.now();
    const listed = this.#list();
    return { atMs, alarms: listed === null ? null : memory.take(listed, atMs) };
  }
}
