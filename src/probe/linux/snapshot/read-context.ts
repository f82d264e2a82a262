import type { Absence, AbsenceReason, Source } from '../../../model/facts/absence.js';
import type { FileIdentities } from '../holders/file-identities.js';
import type { ForkFamilies } from '../holders/fork-families.js';
import type { Tracees } from '../holders/tracees.js';
import type { Executable } from '../identity/executable.js';
import type { Kernel } from '../kernel/kernel.js';
import { type CgroupState, readCgroup } from '../proc/cgroup.js';
import { CpuBudget } from '../runtimes/cpu-budget.js';
import type { UnreadMessages } from '../sockets/unread-messages.js';

const insideMsMax = 120;

/** What snapshots of one moment share. */
export interface Moment {
  /** By mount namespace and path: most processes run the same few programs. */
  executables: Map<string, Executable>;
  families: ForkFamilies;
  tracees: Tracees;
  identities: FileIdentities;
  messages: UnreadMessages;
  readerPid: number;
}

/** What the readers of one snapshot share: the kernel, facts that stayed out of reach, denials set by tests. */
export class ReadContext {
  readonly absent: Absence[] = [];
  readonly withheld: ReadonlySet<Source>;
  readonly kernel: Kernel;
  /** For the graphs of goroutines and Python locks: a tree may have hundreds of such programs. */
  readonly insideBudget = new CpuBudget(insideMsMax);
  /** What the first pass found is read again at any cost: without that, the first cost was for nothing. */
  readonly confirmBudget = new CpuBudget(Number.POSITIVE_INFINITY);
  readonly executables: Map<string, Executable>;
  readonly families: ForkFamilies;
  readonly tracees: Tracees;
  readonly identities: FileIdentities;
  readonly messages: UnreadMessages;
  readonly readerPid: number;
  readonly #seen = new Set<string>();
  readonly #cgroups = new Map<string, CgroupState>();

  constructor(
    kernel: Kernel,
    { executables, families, tracees, identities, messages, readerPid }: Moment,
    withheld: Iterable<Source> = [],
  ) {
    this.kernel = kernel;
    this.executables = executables;
    this.families = families;
    this.tracees = tracees;
    this.identities = identities;
    this.messages = messages;
    this.readerPid = readerPid;
    this.withheld = new Set(withheld);
  }

  /** `text`: the file `cgroup` of a process. Most processes of a tree are in one group, which is read once in each pass. */
  cgroupOf(text: string): CgroupState {
    const known = this.#cgroups.get(text) ?? readCgroup(this.kernel.files, text);
    this.#cgroups.set(text, known);
    return known;
  }

  /** From now on the second pass is read. Returns how long it is after the first, if the kernel of the facts knows. */
  beginSecond(): number | null {
    this.#cgroups.clear();
    return this.kernel.beginSecond();
  }

  /** Each fact is reported missing once per process; a process that is gone is no missing fact. */
  miss(source: Source, pid: number | null, reason: AbsenceReason, detail?: string): void {
    const key = `${source} ${pid} ${reason}`;
    if (reason === 'gone' || this.#seen.has(key)) return;
    this.#seen.add(key);
    this.absent.push({ source, pid, reason, ...(detail === undefined ? {} : { detail }) });
  }
}
