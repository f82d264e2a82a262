import { isAbsent } from '../../../model/facts/absence.js';
import { callShapes } from '../../../model/facts/calls.js';
import { fdIndex } from '../../../model/facts/fd-index.js';
import type { FdFacts, ProcessFacts, ThreadFacts } from '../../../model/facts/snapshot.js';
import { redact } from '../../../redact/redact.js';
import type { Kernel, ProcessDir } from '../kernel/kernel.js';
import { terminalName } from '../proc/fd.js';
import { isRemote } from '../proc/mounts.js';
import type { ProcessReading } from '../snapshot/process.js';
import type { ReadContext } from '../snapshot/read-context.js';
import { waitedFiles } from '../snapshot/waited-objects.js';
import { fifoObject } from './holders.js';

const tailBytes = 256;

/** The unfinished last line of a log file: what a program wrote before it began to wait. null: the line is complete. */
function readLastLine(dir: ProcessDir, name: string): string | null {
  const bytes = dir.tail(name, tailBytes);
  if (isAbsent(bytes)) return null;
  const tail = bytes.toString('utf8');
  const line = tail.slice(tail.lastIndexOf('\n') + 1).trimStart();
  return line.trim() === '' ? null : redact(line);
}

/** Where files are out of reach, the terminal's settings still reveal a password prompt. */
function readForeignTerminal({ native }: Kernel, facts: ProcessFacts): void {
  const name = terminalName(facts.terminal.number);
  const settings = name === null ? null : native.terminal(`/dev/${name}`);
  if (name === null || settings?.of !== 'terminal') return;
  const { canonical, echo } = settings;
  facts.terminal.settings = { name, canonical, echo };
}

/** The last output of a program that reads input to its log file: the prompt, if the line is unfinished. */
function readPrompt(facts: ProcessFacts, fds: readonly FdFacts[], dir: ProcessDir): void {
  const input = new Set(
    fds.filter(({ fd, kind }) => fd === 0 || kind === 'terminal').map(({ object }) => object),
  );
  const reads = facts.threads.some((thread) =>
    waitedFiles(facts, thread).some(({ object }) => input.has(object)),
  );
  const log = fds.find(({ fd, kind }) => (fd === 1 || fd === 2) && kind === 'file');
  if (!reads || log === undefined || log.detail !== undefined || isRemote(dir, log.link)) return;
  const lastLine = readLastLine(dir, `fd/${log.fd}`);
  if (lastLine !== null) log.detail = { of: 'text', lastLine };
}

/** A blocking call on a single file, as opposed to a watched set, which has its own timeout. */
function isSingleCall({ call }: ThreadFacts): boolean {
  return !isAbsent(call) && call.at === 'call' && callShapes[call.name]?.waits === 'fd';
}

const comparisonsMax = 256;

/**
 * An epoll instance watches files, not numbers. Pipes and sockets show by their inode whether a number still means the
 * same file; of all others only the kernel can tell.
 */
function checkTargets({ kernel }: ReadContext, { facts }: ProcessReading, epoll: FdFacts): void {
  if (epoll.detail?.of !== 'epoll' || isAbsent(facts.fds)) return;
  const { byNumber } = fdIndex(facts.fds);
  const seen = new Map<number, number>();
  let left = comparisonsMax;
  for (const target of epoll.detail.targets) {
    const nth = seen.get(target.fd) ?? 0;
    seen.set(target.fd, nth + 1);
    const kind = byNumber.get(target.fd)?.kind;
    if (kind === undefined || kind === 'pipe' || kind === 'socket') continue;
    left -= 1;
    const isSame = left < 0 ? null : kernel.native.watchesFile(facts.pid, epoll.fd, target.fd, nth);
    if (isSame !== true) target.moved = isSame === false ? true : 'unknown';
  }
}

/** What a call on a FIFO waits in. */
const pipeWait = /pipe_(read|write)$/;

/** A file with a name may be a FIFO. Without its inode, the kernel function shows it. */
function refineNamed(
  context: ReadContext,
  { dir, facts }: ProcessReading,
  file: FdFacts,
  { wchan }: ThreadFacts,
): void {
  if (context.kernel.lacks === 'uncaptured') {
    if (pipeWait.test(wchan ?? '')) Object.assign(file, { kind: 'fifo', object: `fifo:${file.link}` });
    else context.miss('fdinfo', facts.pid, 'uncaptured', 'which files are FIFOs');
    return;
  }
  const fifo = isRemote(dir, file.link) ? null : fifoObject(dir, `fd/${file.fd}`);
  if (fifo !== null) Object.assign(file, { kind: 'fifo', object: fifo });
}

function refineFile(context: ReadContext, reading: ProcessReading, file: FdFacts, thread: ThreadFacts): void {
  const { facts } = reading;
  const { native } = context.kernel;
  if (file.kind === 'file') refineNamed(context, reading, file, thread);
  else if (file.kind === 'socket' && isSingleCall(thread) && !context.withheld.has('mem')) {
    const timeouts = native.socketTimeouts(facts.pid, file.fd);
    if (timeouts !== null) file.detail = { of: 'socket', ...timeouts };
  } else if (file.kind === 'terminal' && file.detail === undefined) {
    const detail = native.terminal(`/dev/${file.object.slice('terminal:'.length)}`);
    const { lacks } = context.kernel;
    if (detail === null)
      context.miss('terminal', facts.pid, lacks === 'uncaptured' ? lacks : 'not-permitted');
    else file.detail = detail;
  }
}

/** Completes the awaited files: FIFOs by inode, terminals by settings, sockets by timeouts, prompts. */
export function refineFiles(context: ReadContext, readings: readonly ProcessReading[]): void {
  for (const reading of readings) {
    const { facts, dir } = reading;
    if (isAbsent(facts.fds)) {
      readForeignTerminal(context.kernel, facts);
      continue;
    }
    const waited = facts.threads.flatMap((thread) => waitedFiles(facts, thread));
    for (const file of new Set(waited)) if (file.kind === 'epoll') checkTargets(context, reading, file);
    for (const thread of facts.threads) {
      for (const file of waitedFiles(facts, thread)) refineFile(context, reading, file, thread);
    }
    if (facts.inTree) readPrompt(facts, facts.fds, dir);
  }
}

/** A FIFO's link is a path: every other process that has the same path open holds the same FIFO. */
export function nameFifos(processes: readonly ProcessFacts[]): void {
  const files = processes.flatMap(({ fds }) => (isAbsent(fds) ? [] : fds));
  const fifos = new Map(
    files.filter(({ kind }) => kind === 'fifo').map(({ link, object }) => [link, object]),
  );
  if (fifos.size === 0) return;
  for (const file of files) {
    const object = file.kind === 'file' ? fifos.get(file.link) : undefined;
    if (object !== undefined) Object.assign(file, { kind: 'fifo', object });
  }
}
