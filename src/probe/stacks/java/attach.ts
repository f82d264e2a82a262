import fs from 'node:fs';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { isAbsent } from '../../../model/facts/absence.js';
import type { ProcessIdentity } from '../../../model/facts/identity.js';
import { livenessOf } from '../../linux/identity/identify.js';
import { openPidfd } from '../../linux/native/pidfd.js';
import type { ProcDir } from '../../linux/proc/proc-dir.js';
import { attempt } from '../../linux/proc/proc-file.js';
import type { ToolLimits, ToolOutput } from '../run-tool.js';
import { isStill, type StackSubject, type StackTarget } from '../target.js';

const quitSignal = 3;
const quitMask = 1n << BigInt(quitSignal - 1);
const pollMs = 20;
const latePollMs = 200;
const lateMsMax = 60_000;
/** Version 1 of the protocol of HotSpot: the command and three arguments, each ended by a zero byte. */
const request = '1\0threaddump\0-l\0\0\0';
/** The first line of the answer is its status. */
const succeeded = '0\n';

/** HotSpot prints its threads into its own output where attaching is switched off. OpenJ9 writes a file instead. */
const refusing = /\+DisableAttachMechanism/;
const otherMachine = /\/libj9vm[^/]*\.so$/m;

/** Only where the runtime handles SIGQUIT and runs to answer. */
export function canAttachJava({ runtime, caught, states }: StackTarget): boolean {
  return runtime === 'java' && (BigInt(`0x${caught}`) & quitMask) !== 0n && !/[DTtZX]/.test(states);
}

/**
 * The threads of a HotSpot virtual machine, as `jstack -l` prints them, without starting a second virtual machine for
 * it: the file `.attach_pidN` and SIGQUIT make it listen on a socket. null: it does not take part.
 */
export async function attachJava(
  { identity, dir, target }: StackSubject,
  { limitMs, bytesMax, signal }: ToolLimits,
): Promise<ToolOutput | null> {
  if (!takesPart(dir)) return null;
  const deadline = performance.now() + limitMs;
  const isOver = () => signal?.aborted || performance.now() >= deadline;
  const socket = `/proc/${target.pid}/root/tmp/.java_pid${target.innerPid}`;
  const isAnswering = () => listens(socket, target.pid);
  const invitation = isAnswering() ? null : invite(identity, dir, target);
  if (invitation === 'refused') return null;
  while (!isAnswering()) {
    if (!isStill(dir, identity)) {
      invitation?.withdraw();
      return null;
    }
    if (isOver()) {
      invitation?.withdrawLater(isAnswering);
      return null;
    }
    await delay(pollMs);
  }
  invitation?.withdraw();
  return ask(socket, deadline - performance.now(), bytesMax, signal);
}

interface Invitation {
  withdraw(): void;
  /** Without the file a late SIGQUIT makes the program print its threads: the file stays until it has been seen. */
  withdrawLater(isSeen: () => boolean): void;
}

/** Leaves the file and sends the signal. */
function invite(identity: ProcessIdentity, dir: ProcDir, target: StackTarget): Invitation | 'refused' {
  const pidfd = openPidfd(target.pid);
  if (pidfd === null) return 'refused';
  try {
    const file = leaveRequest(target);
    if (file === null) return 'refused';
    const withdraw = () => {
      process.off('exit', withdraw);
      attempt(() => fs.rmSync(file, { force: true }));
    };
    process.on('exit', withdraw);
    // Checked after opening: the descriptor is of this very process.
    if (!isStill(dir, identity) || !pidfd.send(quitSignal)) {
      withdraw();
      return 'refused';
    }
    const withdrawLater = (isSeen: () => boolean) => {
      const untilMs = performance.now() + lateMsMax;
      const timer = setInterval(() => {
        if (!isSeen() && performance.now() < untilMs && livenessOf(identity) !== 'ended') return;
        clearInterval(timer);
        withdraw();
      }, latePollMs).unref();
    };
    return { withdraw, withdrawLater };
  } finally {
    pidfd.close();
  }
}

function takesPart(dir: ProcDir): boolean {
  const texts = ['cmdline', 'environ', 'maps'].map((name) => dir.text(name));
  const [cmdline, environ, maps] = texts.map((text) => (isAbsent(text) ? null : text));
  if (cmdline == null || environ == null || maps == null) return false;
  return !refusing.test(cmdline) && !refusing.test(environ) && !otherMachine.test(maps);
}

/** A socket that belongs to the user of the process: any user may write to /tmp. */
function listens(socket: string, pid: number): boolean {
  try {
    const { uid } = fs.statSync(`/proc/${pid}`);
    const found = fs.lstatSync(socket);
    return found.isSocket() && found.uid === uid;
  } catch {
    return false;
  }
}

/**
 * All virtual machines look in /tmp, some also in their working directory. The file must belong to their user. null:
 * neither can be written.
 */
function leaveRequest({ pid, innerPid }: StackTarget): string | null {
  for (const place of ['root/tmp', 'cwd']) {
    const file = `/proc/${pid}/${place}/.attach_pid${innerPid}`;
    const failed = attempt(() => {
      const { uid, gid } = fs.statSync(`/proc/${pid}`);
      // 'wx' follows no link and takes over no file of another attempt.
      const fd = fs.openSync(file, 'wx', 0o600);
      try {
        if (uid !== process.geteuid?.()) fs.fchownSync(fd, uid, gid);
      } finally {
        fs.closeSync(fd);
      }
    });
    if (failed === undefined) return file;
  }
  return null;
}

function ask(
  path: string,
  limitMs: number,
  bytesMax: number,
  signal: AbortSignal | undefined,
): Promise<ToolOutput | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const connection = net.connect({ path });
    const finish = (cut: ToolOutput['cut']) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', interrupt);
      connection.destroy();
      const answer = Buffer.concat(chunks).toString('utf8', 0, Math.min(length, bytesMax + succeeded.length));
      resolve(answer.startsWith(succeeded) ? { text: answer.slice(succeeded.length), cut } : null);
    };
    const interrupt = () => finish('interrupted');
    const timer = setTimeout(() => finish('too late'), Math.max(0, limitMs));
    signal?.addEventListener('abort', interrupt, { once: true });
    connection.once('connect', () => connection.write(request));
    connection.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > bytesMax) finish('too long');
    });
    connection.once('end', () => finish(null));
    connection.once('error', () => finish('interrupted'));
  });
}
