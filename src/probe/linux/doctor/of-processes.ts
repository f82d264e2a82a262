import { type AbsenceReason, type Absent, isAbsent } from '../../../model/facts/absence.js';
import { available, type Capability } from '../../../model/facts/capability.js';
import { Memory } from '../proc/mem.js';
import { ProcDir } from '../proc/proc-dir.js';
import { parseExecStartMs, parseSchedstat } from '../proc/schedstat.js';
import { parseSyscall } from '../proc/syscall.js';
import type { Subjects } from './subjects.js';

type Outcome = 'ok' | AbsenceReason;

interface Try {
  name: string;
  costs: string;
  /** Needs the right to trace, not only to read: Yama and containers remove it first. */
  traces?: true;
  try(dir: ProcDir): Outcome;
}

function text(dir: ProcDir, file: string, isGood: (text: string) => boolean = () => true): Outcome {
  const content = dir.text(file);
  if (isAbsent(content)) return content.absent;
  return isGood(content) ? 'ok' : 'unsupported';
}

function readStack(dir: ProcDir): Outcome {
  const maps = dir.text('maps');
  if (isAbsent(maps)) return maps.absent;
  const start = /^([0-9a-f]+)-[0-9a-f]+ rw\S* .*\[stack\]$/m.exec(maps)?.[1];
  if (start === undefined) return 'unsupported';
  const memory = Memory.of(dir, null);
  const bytes = memory.read(BigInt(`0x${start}`), 8);
  memory.close();
  return isAbsent(bytes) ? bytes.absent : 'ok';
}

function readLinks(dir: ProcDir): Outcome {
  const fds = dir.numbers('fd');
  if (isAbsent(fds)) return fds.absent;
  const link: string | Absent = dir.link(`fd/${fds[0] ?? 0}`);
  return isAbsent(link) ? link.absent : 'ok';
}

const tries: Try[] = [
  {
    name: 'system calls',
    costs: 'waits are guessed from kernel function names, and nothing is certain',
    traces: true,
    try: (dir) => text(dir, 'syscall', (line) => parseSyscall(line) !== null),
  },
  {
    name: 'memory',
    costs: 'owners of locks, watched files, timeouts and paths are not known',
    traces: true,
    try: readStack,
  },
  {
    name: 'open files',
    costs: 'what is waited on, and which process holds the other end, is not known',
    try: readLinks,
  },
  {
    name: 'details of open files',
    costs: 'event loops cannot be read',
    try: (dir) => text(dir, 'fdinfo/0'),
  },
  {
    name: 'kernel functions',
    costs: 'nothing while system calls can be read; without them, waits cannot be named',
    // The kernel shows 0 to a reader without the right, and for a process that runs: this child waits.
    try: (dir) => {
      const outcome = text(dir, 'wchan', (name) => name !== '0' && name !== '');
      return outcome === 'unsupported' ? 'not-permitted' : outcome;
    },
  },
  {
    name: 'I/O counters',
    costs: 'reading and writing of files does not show as work',
    try: (dir) => text(dir, 'io', (lines) => lines.startsWith('rchar:')),
  },
  {
    name: 'CPU counters',
    costs: 'the two reads cannot be proven to show one moment: nothing is certain',
    try: (dir) => text(dir, 'schedstat', (line) => (parseSchedstat(line)?.counter ?? 0) > 0),
  },
  {
    name: 'time of last run',
    costs: 'since when nothing moves is not known',
    try: (dir) => text(dir, 'sched', (lines) => parseExecStartMs(Buffer.from(lines)) !== null),
  },
  {
    name: 'timers',
    costs: 'a program that waits for a timer may look as if it waited for nothing',
    try: (dir) => text(dir, 'timers'),
  },
];

const words: Record<AbsenceReason, string> = {
  'not-permitted': 'not permitted',
  hidden: 'it hides itself',
  gone: 'this kernel does not show it',
  unsupported: 'this kernel does not show it',
  withheld: 'withheld',
  uncaptured: 'not captured',
  limit: 'out of file descriptors',
  failed: 'the read failed',
};

function tryOn(pid: number, { try: attempt }: Try): Outcome {
  const dir = ProcDir.open(pid);
  if (isAbsent(dir)) return dir.absent;
  try {
    return attempt(dir);
  } finally {
    dir.close();
  }
}

function judge(one: Try, { child, stranger }: Subjects, fixes: { trace: string; read: string }): Capability {
  const ofChild = tryOn(child, one);
  const ofStranger = stranger === null ? ofChild : tryOn(stranger, one);
  const fix = one.traces ? fixes.trace : fixes.read;
  if (ofChild === 'ok' && ofStranger === 'ok') {
    const whose = stranger === null ? 'of children' : 'of children and of other processes';
    return available(one.name, whose);
  }
  if (ofChild === 'ok') {
    const finding = `of children; of others: ${words[ofStranger as AbsenceReason]}`;
    return { name: one.name, status: 'partly', finding, costs: `of others: ${one.costs}`, fix };
  }
  const finding = words[ofChild];
  return {
    name: one.name,
    status: 'no',
    finding,
    costs: one.costs,
    fix: ofChild === 'not-permitted' ? fix : '',
  };
}

/** What can be read about a child of this process, and about a process of the same user that is not a child. */
export function capabilitiesOfProcesses(
  subjects: Subjects,
  fixes: { trace: string; read: string },
): Capability[] {
  return tries.map((one) => judge(one, subjects, fixes));
}
