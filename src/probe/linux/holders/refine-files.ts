import fs from 'node:fs';
import { isAbsent } from '../../../model/facts/absence.js';
import { callShapes } from '../../../model/facts/calls.js';
import type { FdFacts, ProcessFacts, ThreadFacts } from '../../../model/facts/snapshot.js';
import { redact } from '../../../redact/redact.js';
import { readSocketTimeouts } from '../native/pidfd.js';
import { readTerminal } from '../native/terminal.js';
import { terminalName } from '../proc/fd.js';
import { isRemote } from '../proc/mounts.js';
import type { ProcDir } from '../proc/proc-dir.js';
import { attempt } from '../proc/proc-file.js';
import type { ProcessReading } from '../snapshot/process.js';
import type { ReadContext } from '../snapshot/read-context.js';
import { waitedFiles } from '../snapshot/waited-objects.js';
import { fifoObject } from './holders.js';

const tailBytes = 256;

/** The unfinished last line of a log file: what a program wrote before it began to wait. null: the line is complete. */
function readLastLine(path: string): string | null {
  const tail = attempt(() => {
    const fd = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK | fs.constants.O_NOCTTY);
    try {
      const { size } = fs.fstatSync(fd);
      const bytes = Buffer.alloc(Math.min(size, tailBytes));
      fs.readSync(fd, bytes, 0, bytes.length, Math.max(0, size - bytes.length));
      return bytes.toString('utf8');
    } finally {
      fs.closeSync(fd);
    }
  });
  if (isAbsent(tail)) return null;
  const line = tail.slice(tail.lastIndexOf('\n') + 1).trimStart();
  return line.trim() === '' ? null : redact(line);
}

/** Where files are out of reach, the terminal's settings still reveal a password prompt. */
function readForeignTerminal(facts: ProcessFacts): void {
  const name = terminalName(facts.terminal.number);
  const settings = name === null ? null : readTerminal(`/dev/${name}`);
  if (name === null || settings?.of !== 'terminal') return;
  const { canonical, echo } = settings;
  facts.terminal.settings = { name, canonical, echo };
}

/** The last output of a program that reads input to its log file: the prompt, if the line is unfinished. */
function readPrompt(facts: ProcessFacts, fds: readonly FdFacts[], dir: ProcDir): void {
  const input = new Set(
    fds.filter(({ fd, kind }) => fd === 0 || kind === 'terminal').map(({ object }) => object),
  );
  const reads = facts.threads.some((thread) =>
    waitedFiles(facts, thread).some(({ object }) => input.has(object)),
  );
  const log = fds.find(({ fd, kind }) => (fd === 1 || fd === 2) && kind === 'file');
  if (!reads || log === undefined || log.detail !== undefined || isRemote(dir, log.link)) return;
  const lastLine = readLastLine(dir.path(`fd/${log.fd}`));
  if (lastLine !== null) log.detail = { of: 'text', lastLine };
}

/** A blocking call on a single file, as opposed to a watched set, which has its own timeout. */
function isSingleCall({ call }: ThreadFacts): boolean {
  return !isAbsent(call) && call.at === 'call' && callShapes[call.name]?.waits === 'fd';
}

function refineFile(context: ReadContext, reading: ProcessReading, file: FdFacts, single: boolean): void {
  const { facts, dir } = reading;
  if (file.kind === 'file') {
    const fifo = isRemote(dir, file.link) ? null : fifoObject(dir.path(`fd/${file.fd}`));
    if (fifo !== null) Object.assign(file, { kind: 'fifo', object: fifo });
  } else if (file.kind === 'socket' && single && !context.withheld.has('mem')) {
    const timeouts = readSocketTimeouts(facts.pid, file.fd);
    if (timeouts !== null) file.detail = { of: 'socket', ...timeouts };
  } else if (file.kind === 'terminal' && file.detail === undefined) {
    const detail = readTerminal(`/dev/${file.object.slice('terminal:'.length)}`);
    if (detail === null) context.miss('terminal', facts.pid, 'not-permitted');
    else file.detail = detail;
  }
}

/** Completes the awaited files: FIFOs by inode, terminals by settings, sockets by timeouts, prompts. */
export function refineFiles(context: ReadContext, readings: readonly ProcessReading[]): void {
  for (const reading of readings) {
    const { facts, dir } = reading;
    if (isAbsent(facts.fds)) {
      readForeignTerminal(facts);
      continue;
    }
    for (const thread of facts.threads) {
      const single = isSingleCall(thread);
      for (const file of waitedFiles(facts, thread)) refineFile(context, reading, file, single);
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
