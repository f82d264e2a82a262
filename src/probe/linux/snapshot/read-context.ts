import type { Absence, AbsenceReason, Source } from '../../../model/facts/absence.js';
import { isAbsent } from '../../../model/facts/absence.js';
import type { Executable } from '../identity/executable.js';
import { SchedClock } from '../machine/sched-clock.js';
import { readText } from '../proc/proc-file.js';
import { CpuBudget } from '../runtimes/cpu-budget.js';
import type { Clock } from './arguments.js';

const insideMsMax = 120;

/** What the readers of one snapshot share: clocks read once, facts that stayed out of reach, denials set by tests. */
export class ReadContext {
  readonly absent: Absence[] = [];
  readonly withheld: ReadonlySet<Source>;
  readonly schedClock = new SchedClock();
  /** For the graphs of goroutines and Python locks: a tree may have hundreds of such programs. */
  readonly insideBudget = new CpuBudget(insideMsMax);
  /** What the first pass found is read again at any cost: without that, the first cost was for nothing. */
  readonly confirmBudget = new CpuBudget(Number.POSITIVE_INFINITY);
  /** By mount namespace and path: most processes of a tree run the same few programs. */
  readonly executables = new Map<string, Executable>();
  readonly #seen = new Set<string>();

  constructor(withheld: Iterable<Source> = []) {
    this.withheld = new Set(withheld);
  }

  readonly clockMs = (clock: Clock): number => {
    if (clock === 'realtime') return Date.now();
    if (clock === 'monotonic') return Number(process.hrtime.bigint()) / 1e6;
    const uptime = readText('/proc/uptime');
    return isAbsent(uptime) ? 0 : Number.parseFloat(uptime) * 1000;
  };

  /** Each fact is reported missing once per process; a process that is gone is no missing fact. */
  miss(source: Source, pid: number | null, reason: AbsenceReason, detail?: string): void {
    const key = `${source} ${pid} ${reason}`;
    if (reason === 'gone' || this.#seen.has(key)) return;
    this.#seen.add(key);
    this.absent.push({ source, pid, reason, ...(detail === undefined ? {} : { detail }) });
  }
}
