import * as z from 'zod/mini';
import type { Absence } from '../../model/facts/absence.js';
import type {
  GoroutineFacts,
  GoroutineGraph,
  GoroutineWait,
  ParkedGoroutine,
} from '../../model/facts/goroutines.js';
import type {
  AlarmFacts,
  CgroupFacts,
  FileLockFacts,
  IoFacts,
  ProcessFacts,
  SearchFacts,
  Snapshot,
} from '../../model/facts/snapshot.js';
import type { SocketFacts } from '../../model/facts/sockets.js';
import { fd } from './fd-schema.js';
import {
  added,
  address,
  count,
  duration,
  id,
  inode,
  list,
  orAbsent,
  pids,
  reason,
  record,
  signalMask,
  snapshotLimits,
  state,
  text,
} from './schema-fields.js';
import { dialled, stacks, thread } from './thread-schema.js';

const source = z.enum([
  'stat',
  'status',
  'schedstat',
  'sched',
  'syscall',
  'wchan',
  'io',
  'fd',
  'fdinfo',
  'mem',
  'runtime',
  'maps',
  'locks',
  'net',
  'tcp-info',
  'unix-peers',
  'cgroup',
  'environ',
  'children',
  'timers',
  'terminal',
  'cmdline',
  'holders',
]);

const absence = record<Absence>()({ source, pid: z.nullable(id), reason, detail: z.optional(text) });

const io = record<IoFacts>()({
  readChars: z.number(),
  writeChars: z.number(),
  readCalls: z.number(),
  writeCalls: z.number(),
  addedReadChars: z.number(),
  addedWriteChars: z.number(),
  addedReadCalls: z.number(),
  addedWriteCalls: z.number(),
  addedDiskBytes: z.number(),
});

const cgroup = record<CgroupFacts>()({
  path: text,
  frozen: z.boolean(),
  throttled: z.nullable(z.number()),
});

const parkedGoroutine = record<ParkedGoroutine>()({
  id: count,
  reason: text,
  sinceMs: z.nullable(duration),
  at: z.nullable(text),
  awaits: z.nullable(list(address, snapshotLimits.goroutineThings)),
  reaches: list(address, snapshotLimits.goroutineThings),
});

const graph = record<GoroutineGraph>()({
  parked: list(parkedGoroutine, snapshotLimits.parkedGoroutines),
  reached: list(address, snapshotLimits.goroutineThings),
});

const goroutines = record<GoroutineFacts>()({
  waits: list(record<GoroutineWait>()({ reason: text, count }), snapshotLimits.goroutineReasons),
  running: count,
  inCalls: count,
  signals: z.nullable(id),
  unread: count,
  graph: z.optional(orAbsent(graph)),
});

const process = record<ProcessFacts>()({
  pid: z.int().check(z.positive(), z.maximum(0xffff_ffff)),
  startTicks: z.number(),
  parent: id,
  group: id,
  session: id,
  terminal: record<ProcessFacts['terminal']>()({
    number: z.int(),
    foregroundGroup: z.int(),
    settings: z.optional(z.object({ name: z.string(), canonical: z.boolean(), echo: z.boolean() })),
  }),
  inTree: z.boolean(),
  name: text,
  command: text,
  exe: z.nullable(text),
  runtime: z.nullable(z.enum(['go', 'java', 'node', 'python', 'ruby'])),
  uid: id,
  state,
  kernelThread: z.boolean(),
  exitStatus: z.nullable(z.int()),
  namespacePids: pids,
  signals: z.nullable(z.object({ caught: signalMask, ignored: signalMask, blocked: signalMask })),
  seccomp: added(z.nullable(count), null),
  threads: list(thread, snapshotLimits.threadsPerProcess),
  fds: orAbsent(list(fd, snapshotLimits.fdsPerProcess)),
  io: z.nullable(io),
  children: pids,
  cgroup: z.nullable(cgroup),
  posixTimers: z.nullable(count),
  endingTimers: z.optional(count),
  childLimitMs: z.optional(duration),
  memoryKb: z.nullable(count),
  changed: z.nullable(z.enum(['ended', 'exec', 'grew'])),
  sharedMappings: list(text, snapshotLimits.mappings),
  memorySharers: added(z.nullable(pids), null),
  filesApart: z.optional(z.literal(true)),
  fdsApart: z.optional(z.array(fd)),
  tracer: added(id, 0),
  runId: z.nullable(text),
  attends: z.optional(id),
  goroutines: z.optional(orAbsent(goroutines)),
});

const socket = record<SocketFacts>()({
  inode,
  space: text,
  family: z.enum(['tcp', 'udp', 'unix', 'netlink', 'packet']),
  state: text,
  local: text,
  remote: text,
  receiveQueue: z.number(),
  sendQueue: z.number(),
  datagrams: z.optional(z.literal(true)),
  unreadFiles: z.optional(count),
  accepted: z.optional(z.literal(true)),
  peer: z.optional(inode),
  retransmits: z.optional(count),
  tcp: z.optional(
    record<NonNullable<SocketFacts['tcp']>>()({
      lastReceivedMs: duration,
      lastSentMs: duration,
      bytesReceived: z.number(),
      bytesAcked: z.number(),
      packetsReceived: added(z.number(), 0),
      packetsSent: added(z.number(), 0),
      addedReceived: z.number(),
      addedAcked: z.number(),
    }),
  ),
});

const lock = record<FileLockFacts>()({
  id: count,
  type: text,
  mode: text,
  pid: id,
  file: text,
  held: z.boolean(),
});

const alarm = record<AlarmFacts>()({
  leftMs: duration,
  endsMs: duration,
  youngerThanMs: z.nullable(duration),
  olderThanMs: z.optional(duration),
});

/** Version 1 of the saved snapshot. Unknown fields are dropped; files of this version load for ever. */
export const snapshotSchema = record<Snapshot>()({
  format: z.literal('unstuck-snapshot'),
  version: z.literal(1),
  probe: z.enum(['linux', 'portable']),
  at: text,
  host: record<Snapshot['host']>()({ kernel: text, arch: text, bootId: text }),
  reader: record<Snapshot['reader']>()({
    pid: id,
    uid: id,
    lineage: pids,
    confined: added(z.boolean(), false),
  }),
  relays: added(pids, []),
  alarms: added(z.nullable(z.boolean()), null),
  alarmTimers: z.optional(list(alarm, snapshotLimits.alarms)),
  targetPid: id,
  targetLineage: pids,
  gapMs: z.number().check(z.nonnegative()),
  tookMs: z.number().check(z.nonnegative()),
  processes: list(process, snapshotLimits.processes),
  sockets: list(socket, snapshotLimits.sockets),
  locks: list(lock, snapshotLimits.locks),
  searched: record<SearchFacts>()({
    done: z.boolean(),
    unreadablePids: pids,
    restlessPids: z.optional(pids),
    cut: z.nullable(text),
  }),
  absent: list(absence, snapshotLimits.absences),
  stacks: z.optional(stacks),
  dialled: z.optional(dialled),
});

type Parsed = Omit<z.infer<typeof snapshotSchema>, 'version'> & { version: number };

// These two fail to compile when the model and the schema differ.
const _schemaCoversModel = (snapshot: Snapshot): Parsed => snapshot;
const _modelCoversSchema = (parsed: Parsed): Snapshot => parsed;
