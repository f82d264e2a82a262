import * as z from 'zod/mini';
import { lockTypes, type MonitorFacts } from '../../model/facts/monitors.js';
import type {
  BlockedCall,
  FutexFacts,
  ThreadFacts,
  TimeoutFacts,
  WatchedFd,
} from '../../model/facts/snapshot.js';
import type { DialledAddress } from '../../model/facts/sockets.js';
import type { ProcessStacks, RunningTest, StackFrame, ThreadStack } from '../../model/facts/stack.js';
import {
  address,
  count,
  duration,
  id,
  list,
  orAbsent,
  record,
  signalMask,
  snapshotLimits,
  state,
  text,
  uint32,
} from './schema-fields.js';

const timeout = record<TimeoutFacts>()({ ms: z.nullable(duration), absolute: z.boolean() });
const watched = record<WatchedFd>()({ fd: id, read: z.boolean(), write: z.boolean() });
const monitor = record<MonitorFacts>()({
  address,
  owner: id,
  ended: z.optional(z.literal(true)),
  type: z.optional(z.enum(lockTypes)),
  interruptible: z.optional(z.literal(true)),
});
const futex = record<FutexFacts>()({
  operation: z.enum(['wait', 'wait-bitset', 'lock-pi', 'requeue-pi']),
  private: z.boolean(),
  address,
  expected: uint32,
  words: orAbsent(list(uint32, snapshotLimits.futexWords)),
  mapping: z.nullable(text),
});

const blockedCall = record<BlockedCall>()({
  at: z.literal('call'),
  number: count,
  name: text,
  args: list(address, snapshotLimits.args),
  repeated: z.boolean(),
  resumed: z.optional(z.literal(true)),
  timeout: z.optional(orAbsent(timeout)),
  watched: z.optional(orAbsent(list(watched, snapshotLimits.watchedFds))),
  futex: z.optional(futex),
  path: z.optional(orAbsent(text)),
  signalMask: z.optional(orAbsent(signalMask)),
});

const call = z.discriminatedUnion('at', [
  z.object({ at: z.literal('running') }),
  z.object({ at: z.literal('outside') }),
  blockedCall,
]);

export const thread = record<ThreadFacts>()({
  tid: id,
  namespaceTid: id,
  name: text,
  state,
  laterState: state,
  counter: z.nullable(count),
  moved: z.nullable(z.boolean()),
  ranMs: duration,
  delayedMs: duration,
  offCpuMs: z.nullable(duration),
  call: orAbsent(call),
  wchan: z.nullable(text),
  monitor: z.optional(monitor),
  monitorless: z.optional(z.literal(true)),
});

const limits = { processes: 64, threads: 1024, frames: 1024, handles: 256 } as const;

const frame = record<StackFrame>()({ function: text, file: z.nullable(text), line: z.nullable(z.number()) });

const threadStack = record<ThreadStack>()({
  pid: id,
  tid: z.nullable(id),
  name: text,
  language: z.enum(['go', 'java', 'node', 'python', 'native']),
  from: z.enum(['memory', 'py-spy', 'jstack', 'gdb', 'inspector']),
  frames: list(frame, limits.frames),
});

const test = record<RunningTest>()({
  name: text,
  file: z.nullable(text),
  line: z.nullable(z.number()),
  from: z.enum(['stack', 'environment', 'thread', 'arguments', 'output', 'runner', 'after']),
});

export const stacks = list(
  record<ProcessStacks>()({
    pid: id,
    threads: list(threadStack, limits.threads),
    test: z.optional(test),
    handles: z.optional(list(text, limits.handles)),
  }),
  limits.processes,
);

export const dialled = list(
  record<DialledAddress>()({ pid: id, address: text, failedAttempts: count }),
  limits.processes,
);
