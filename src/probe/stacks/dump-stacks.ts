import fs from 'node:fs';
import path from 'node:path';
import { isAbsent } from '../../model/facts/absence.js';
import type { ProcessIdentity } from '../../model/facts/identity.js';
import type { ThreadStack } from '../../model/facts/stack.js';
import { ProcDir } from '../linux/proc/proc-dir.js';
import { attempt } from '../linux/proc/proc-file.js';
import { parseStat } from '../linux/proc/stat.js';
import { parseDump } from './parse-dump.js';
import { isStill, readStates, readTarget, type StackSubject } from './target.js';
import { type StackTool, stackTools } from './tools.js';

const threadsMax = 256;

/** Where its threads are inside the kernel, which only root may read; null: not available. */
function readKernelStacks(dir: ProcDir): string | null {
  const tids = dir.numbers('task');
  if (isAbsent(tids)) return null;
  const stacks = tids.slice(0, threadsMax).flatMap((tid) => {
    const stack = dir.text(`task/${tid}/stack`);
    const bytes = dir.bytes(`task/${tid}/stat`);
    const stat = isAbsent(bytes) ? null : parseStat(bytes);
    if (isAbsent(stack) || stat === null || stack.trim() === '') return [];
    return [`thread ${tid} ${JSON.stringify(stat.name)}, state ${stat.state}\n${stack.trimEnd()}\n`];
  });
  return stacks.length === 0 ? null : stacks.join('\n');
}

const dumpMsMax = 5000;
const dumpBytesMax = 256 * 1024;
const atOnce = 4;

export interface StackDump {
  file: string;
  pid: number;
  tool: StackTool['name'] | 'kernel';
  /** The output of the tool, parsed. */
  threads: ThreadStack[];
}

export interface StackOptions {
  /** For all processes together. */
  totalMs: number;
  signal?: AbortSignal | undefined;
}

/**
 * Stacks of processes that are about to be stopped, a file each, readable for their owner only. A process that no tool
 * can read is not in the answer. A debugger stops a process while it reads: it must not be used on a process that shall
 * go on.
 */
export async function dumpStacks(
  processes: readonly ProcessIdentity[],
  dir: string,
  { totalMs, signal }: StackOptions,
): Promise<StackDump[]> {
  const deadline = performance.now() + totalMs;
  const waiting = [...processes.entries()];
  const dumps: StackDump[][] = [];
  fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, identity] = next;
      dumps[index] = await dumpOne(identity, dir, deadline, signal);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return dumps.flat();
}

async function dumpOne(
  identity: ProcessIdentity,
  dir: string,
  deadline: number,
  signal: AbortSignal | undefined,
): Promise<StackDump[]> {
  const opened = ProcDir.open(identity.pid);
  if (isAbsent(opened)) return [];
  try {
    const target = isStill(opened, identity) ? readTarget(opened) : null;
    if (target === null) return [];
    const subject = { identity, dir: opened, target };
    const dumps: StackDump[] = [];
    const keep = (tool: StackDump['tool'], text: string) => {
      // Output about a process that is gone may be about the next process with its pid.
      if (!isStill(opened, identity)) return;
      const file = path.join(dir, `${identity.pid}-${tool}.txt`);
      const written = attempt(() => fs.writeFileSync(file, text, { mode: 0o600 }));
      const threads = tool === 'kernel' ? [] : parseDump(tool, identity.pid, text);
      if (written === undefined) dumps.push({ file, pid: identity.pid, tool, threads });
    };
    const kernel = readKernelStacks(opened);
    if (kernel !== null) keep('kernel', kernel);
    for (const tool of stackTools) {
      const text = await askTool(tool, subject, deadline, signal);
      if (text === null) continue;
      keep(tool.name, text);
      break;
    }
    return dumps;
  } finally {
    opened.close();
  }
}

export async function askTool(
  tool: StackTool,
  subject: StackSubject,
  deadline: number,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const { identity, dir, target } = subject;
  const limitMs = Math.min(dumpMsMax, deadline - performance.now());
  if (!tool.fits(target) || limitMs <= 0 || signal?.aborted || !isStill(dir, identity)) return null;
  const output = await tool.dump(subject, { limitMs, bytesMax: dumpBytesMax, signal });
  if (output === null) return null;
  const { text, cut } = output;
  if (cut !== null) continueStopped(subject);
  if (!tool.shows.test(text)) return null;
  return cut === null ? text : `${text}\n[the rest is missing: ${tool.name} was ended, ${cut}]\n`;
}

/** A debugger that was killed may have left the process stopped, deaf to the SIGTERM that comes next. */
function continueStopped({ identity, dir, target }: StackSubject): void {
  const isStopped = readStates(dir).startsWith('T') && !target.states.startsWith('T');
  if (isStopped && isStill(dir, identity)) attempt(() => process.kill(identity.pid, 'SIGCONT'));
}
