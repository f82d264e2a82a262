import { spawnSync } from 'node:child_process';
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Absence, AbsenceReason, Absent, Source } from '../../model/facts/absence.js';
import type { Capability } from '../../model/facts/capability.js';
import type { ProcessIdentity } from '../../model/facts/identity.js';
import { type FdFacts, type Snapshot, snapshotVersion } from '../../model/facts/snapshot.js';
import { Failure } from '../../model/failure.js';
import { needProc } from '../linux/machine/has-proc.js';
import type { Probe, SnapshotOptions } from '../probe.js';
import { portableCapabilities } from './capabilities.js';
import { type LsofFacts, lsofArguments, parseLsof } from './lsof.js';
import { processFacts, type Seen } from './process-facts.js';
import { type PsRow, parsePs, parsePsNames, psArguments, psNameArguments } from './ps.js';
import { type ProgramOutput, programEnvironment, programLimits, runProgram } from './run-program.js';

const gapMsDefault = 100;
const treeProcessesMax = 5000;
const fdsMax = 20_000;
/** ps of Linux computes the start from the time of boot: the same process may differ by this much. */
const startToleranceS = 2;

/**
 * Facts that nothing outside /proc shows. The vital facts are missed per process, so that nothing hidden is certain.
 */
const unseenOfEach: Source[] = ['syscall', 'mem', 'schedstat', 'status', 'maps'];
const unseenDetail = 'ps and lsof know nothing of it';
const unseen: Source[] = ['stat', 'sched', 'io', 'cgroup', 'timers', 'locks', 'tcp-info', 'holders'];

/** Why no open files are known at all. */
type NoFiles = Absent & { detail?: string };

/** A snapshot in the making. */
class PortableReading {
  readonly absent: Absence[] = [];
  readonly #options: SnapshotOptions;
  /** The programs that are run here are children of this process: no part of any tree. */
  readonly #own = new Set<number>();

  constructor(options: SnapshotOptions) {
    this.#options = options;
  }

  miss(source: Source, pid: number | null, reason: AbsenceReason, detail?: string): void {
    const withheld = this.#options.withhold?.includes(source) === true;
    this.absent.push({
      source,
      pid,
      reason: withheld ? 'withheld' : reason,
      ...(detail === undefined || withheld ? {} : { detail }),
    });
  }

  #run(file: 'ps' | 'lsof', args: readonly string[]): Promise<ProgramOutput> {
    return runProgram(file, args, {
      signal: this.#options.signal,
      started: (pid) => this.#own.add(pid),
    });
  }

  /** All processes, without the programs that were started to read them. */
  async rows(): Promise<Map<number, PsRow>> {
    const rows = parsePs(psText(await this.#run('ps', psArguments(process.platform))), process.platform);
    for (const pid of this.#own) rows.delete(pid);
    if (rows.size > 0) return rows;
    throw new Failure('unsupported', 'the output of ps was not understood', psHint);
  }

  async names(): Promise<Map<number, string>> {
    return parsePsNames(psText(await this.#run('ps', psNameArguments)));
  }

  async files(pids: readonly number[]): Promise<LsofFacts | NoFiles> {
    if (this.#options.withhold?.includes('fd')) return { absent: 'withheld' };
    const output = await this.#run('lsof', lsofArguments(pids));
    if ('text' in output) return parseLsof(output.text);
    if (output.failed === 'missing') return { absent: 'unsupported', detail: 'lsof is not installed' };
    const { timeoutsMs, outputBytesMax } = programLimits;
    const late = `lsof did not answer in ${timeoutsMs.lsof / 1000} s`;
    const detail = output.failed === 'late' ? late : `lsof printed more than ${outputBytesMax} bytes`;
    return { absent: 'limit', detail };
  }
}

const psHint = 'install ps (package procps, or the one of your system), or use: --probe linux';

function psText(output: ProgramOutput): string {
  if ('text' in output && output.code === 0) return output.text;
  if ('text' in output) {
    throw new Failure('unsupported', `ps does not know the columns we ask for (exit ${output.code})`, psHint);
  }
  if (output.failed === 'missing') throw new Failure('unsupported', 'ps was not found on the PATH', psHint);
  throw new Failure('cannot-read', 'ps did not answer in time', 'try again when the machine is less busy');
}

function childrenIn(rows: ReadonlyMap<number, PsRow>): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const { pid, parent } of rows.values()) {
    if (pid === parent) continue;
    const known = children.get(parent);
    if (known === undefined) children.set(parent, [pid]);
    else known.push(pid);
  }
  return children;
}

/** The target and its descendants, breadth first. */
function treeOf(target: number, children: ReadonlyMap<number, number[]>): number[] {
  const tree = new Set([target]);
  for (const pid of tree) {
    for (const child of children.get(pid) ?? []) if (tree.size < treeProcessesMax) tree.add(child);
  }
  return [...tree];
}

function lineageIn(rows: ReadonlyMap<number, PsRow>, pid: number): number[] {
  const lineage: number[] = [];
  for (let parent = rows.get(pid)?.parent; parent !== undefined && parent > 0; ) {
    if (lineage.includes(parent)) break;
    lineage.push(parent);
    parent = rows.get(parent)?.parent;
  }
  return lineage;
}

function fdsOf(reading: PortableReading, facts: LsofFacts | NoFiles, row: PsRow): FdFacts[] | Absent {
  if ('absent' in facts) {
    reading.miss('fd', row.pid, facts.absent, facts.detail);
    return { absent: facts.absent };
  }
  if (row.state === 'Z') return [];
  const files = facts.files.get(row.pid);
  // Every process has a directory and a program at least: if lsof prints nothing about it, lsof was not allowed to read
  // it.
  if (files === undefined || files.denied) {
    reading.miss('fd', row.pid, 'not-permitted');
    return { absent: 'not-permitted' };
  }
  if (files.fds.length > fdsMax) reading.miss('fd', row.pid, 'limit', `${fdsMax} open files`);
  return files.fds.slice(0, fdsMax);
}

function secondRead(first: PsRow, rows: ReadonlyMap<number, PsRow>): PsRow | null {
  const later = rows.get(first.pid);
  const same = later !== undefined && Math.abs(later.startedAtS - first.startedAtS) <= startToleranceS;
  return same ? later : null;
}

async function takeSnapshot(pid: number, options: SnapshotOptions): Promise<Snapshot> {
  needProc('nothing can be read about any process');
  const began = performance.now();
  const reading = new PortableReading(options);
  const [rows, names] = await Promise.all([reading.rows(), reading.names()]);
  if (!rows.has(pid)) throw new Failure('no-such-process', `no process ${pid}`, 'list processes with: ps -A');
  const children = childrenIn(rows);
  const tree = treeOf(pid, children);
  if (tree.length >= treeProcessesMax) {
    reading.miss('children', pid, 'limit', `${treeProcessesMax} processes`);
  }
  const [facts] = await Promise.all([
    reading.files(tree),
    delay(options.gapMs ?? gapMsDefault, undefined, { signal: options.signal }),
  ]);
  const gapMs = performance.now() - began;
  const later = await reading.rows();
  const processes = tree.flatMap((member) => {
    const row = rows.get(member);
    if (row === undefined) return [];
    for (const source of unseenOfEach) reading.miss(source, member, 'unsupported', unseenDetail);
    const seen: Seen = { row, later: secondRead(row, later), name: names.get(member) || `pid ${member}` };
    return processFacts(seen, {
      gapMs,
      children: children.get(member) ?? [],
      fds: fdsOf(reading, facts, row),
      files: 'absent' in facts ? undefined : facts.files.get(member),
    });
  });
  for (const source of unseen) reading.miss(source, null, 'unsupported', unseenDetail);
  return {
    format: 'unstuck-snapshot',
    version: snapshotVersion,
    probe: 'portable',
    at: new Date().toISOString(),
    host: { kernel: os.release(), arch: process.arch, bootId: '' },
    reader: {
      pid: process.pid,
      uid: process.getuid?.() ?? -1,
      lineage: lineageIn(rows, process.pid),
      confined: false,
    },
    relays: [],
    alarms: null,
    targetPid: pid,
    targetLineage: lineageIn(rows, pid),
    gapMs,
    tookMs: performance.now() - began,
    processes,
    sockets: 'absent' in facts ? [] : facts.sockets,
    locks: [],
    searched: { done: false, unreadablePids: [], cut: null },
    absent: reading.absent,
  };
}

/**
 * Without a boot id no match is ever certain, and it should not be: ps shows the start of a process to the second, and
 * on Linux the same process may be one second off the next time.
 */
function identify(pid: number): ProcessIdentity | null {
  const { stdout, status } = spawnSync('ps', psArguments(process.platform), {
    encoding: 'utf8',
    timeout: programLimits.timeoutsMs.ps,
    maxBuffer: programLimits.outputBytesMax,
    env: programEnvironment(),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const row = status === 0 ? parsePs(stdout, process.platform).get(pid) : undefined;
  return row === undefined ? null : { bootId: '', pid, startTicks: row.startedAtS };
}

/** For systems without /proc, from `ps` and `lsof`. It proves what ps alone shows: stopped, ended, computing. */
export const portableProbe: Probe = {
  name: 'portable',
  snapshot: (pid, options = {}) => takeSnapshot(pid, options),
  identify,
  capabilities: (): Promise<Capability[]> => portableCapabilities(),
};
