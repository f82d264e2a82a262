import * as z from 'zod/mini';
import type { DialledAddress } from '../../model/facts/dialled.js';
import type { ProcessStacks, RunningTest, StackFrame, ThreadStack } from '../../model/facts/stack.js';
import { count, id, list, record, text } from './schema-fields.js';

const limits = { processes: 64, threads: 1024, frames: 1024, handles: 256 } as const;

const frame = record<StackFrame>()({ function: text, file: z.nullable(text), line: z.nullable(z.number()) });

const thread = record<ThreadStack>()({
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
    threads: list(thread, limits.threads),
    test: z.optional(test),
    handles: z.optional(list(text, limits.handles)),
  }),
  limits.processes,
);

export const dialled = list(
  record<DialledAddress>()({ pid: id, address: text, failedAttempts: count }),
  limits.processes,
);
