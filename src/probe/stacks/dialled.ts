import { isAbsent } from '../../model/facts/absence.js';
import type { ProcessFacts, ThreadFacts } from '../../model/facts/snapshot.js';
import type { DialledAddress } from '../../model/facts/sockets.js';
import { Memory } from '../linux/proc/mem.js';
import { ProcDir } from '../linux/proc/proc-dir.js';
import { formatAddress, parseNet } from '../linux/sockets/net.js';

const processesMax = 16;
const threadsMax = 16;
/** A thread that polls sleeps for less than this between two attempts. */
const sleepMsMax = 10_000;
const pageBytes = 4096n;
/** What calls have left behind lies below the stack pointer; an event loop has a large buffer above it. */
const pagesBelow = 2n;
const pagesAbove = 4n;

/** Fields of `sockaddr_in` and `sockaddr_in6`. */
const inet = { family: 2, address: 4, bytes: 8 } as const;
const inet6 = { family: 10, flow: 4, address: 8, bytes: 24 } as const;
const portAt = 2;
/** The first bytes of the addresses in use: 127.0.0.1, and 127.0.1.1 for the name of the machine. */
const loopback = [127, 0] as const;
const alignment = 4;

type Subject = Pick<ProcessFacts, 'pid' | 'threads'>;

/**
 * Addresses that polling threads of these processes try to reach in vain. The kernel keeps nothing of an attempt that was
 * refused, but the thread passed the address to it in memory.
 */
export function readDialled(processes: readonly Subject[]): DialledAddress[] {
  return processes.slice(0, processesMax).flatMap(readOne);
}

function readOne({ pid, threads }: Subject): DialledAddress[] {
  const polling = threads.filter(sleepsShortly).slice(0, threadsMax);
  const dir = polling.length === 0 ? null : ProcDir.open(pid);
  if (dir === null || isAbsent(dir)) return [];
  const memory = Memory.of(dir, null);
  try {
    const found = new Set(polling.flatMap(({ tid }) => addressesIn(unusedStack(dir, memory, tid))));
    if (found.size === 0) return [];
    const failedAttempts = failedAttemptsIn(dir);
    const taken = listenedPorts(dir);
    if (failedAttempts === null || taken === null) return [];
    return [...found]
      .filter((address) => !taken.has(portOf(address)))
      .map((address) => ({ pid, address, failedAttempts }));
  } finally {
    memory.close();
    dir.close();
  }
}

function sleepsShortly({ call }: ThreadFacts): boolean {
  if (isAbsent(call) || call.at !== 'call' || call.timeout === undefined || isAbsent(call.timeout))
    return false;
  return call.timeout.ms !== null && call.timeout.ms <= sleepMsMax;
}

/** The bytes around the stack pointer. */
function unusedStack(dir: ProcDir, memory: Memory, tid: number): Buffer {
  const line = dir.text(`task/${tid}/syscall`);
  // Call, six arguments, stack pointer, place in the code.
  const pointer = isAbsent(line) ? undefined : line.trim().split(' ')[7];
  if (pointer === undefined) return Buffer.alloc(0);
  const page = BigInt(pointer) / pageBytes;
  const pages: Buffer[] = [];
  for (let at = page - pagesBelow; at <= page + pagesAbove; at += 1n) {
    const bytes = memory.read(at * pageBytes, Number(pageBytes));
    if (!isAbsent(bytes)) pages.push(bytes);
  }
  return Buffer.concat(pages);
}

/** Addresses of this machine in a piece of memory. */
export function addressesIn(bytes: Buffer): string[] {
  const found: string[] = [];
  for (let at = 0; at + inet.bytes <= bytes.length; at += alignment) {
    const host = hostAt(bytes, at);
    const port = bytes.readUInt16BE(at + portAt);
    if (host !== null && port !== 0) found.push(formatAddress(host, port));
  }
  return found;
}

/** The address of this machine that a `sockaddr` at this place would have; null: there is none. */
function hostAt(bytes: Buffer, at: number): number[] | null {
  const family = bytes.readUInt16LE(at);
  if (family === inet.family && loopback.every((byte, index) => bytes[at + inet.address + index] === byte))
    return [...bytes.subarray(at + inet.address, at + inet.bytes)];
  if (family !== inet6.family || at + inet6.bytes > bytes.length) return null;
  if (bytes.readUInt32LE(at + inet6.flow) !== 0) return null;
  const host = [...bytes.subarray(at + inet6.address, at + inet6.bytes)];
  const text = formatAddress(host, 0);
  return text === '[::1]:0' || text.startsWith(`${loopback.join('.')}.`) ? host : null;
}

function portOf(address: string): number {
  return Number(address.slice(address.lastIndexOf(':') + 1));
}

/** Ports in its network namespace on which a process listens; null: not readable. */
function listenedPorts(dir: ProcDir): Set<number> | null {
  const ports = new Set<number>();
  for (const name of ['net/tcp', 'net/tcp6']) {
    const text = dir.text(name);
    // A kernel without IPv6 has no such file.
    if (isAbsent(text) && name === 'net/tcp') return null;
    for (const { state, local } of isAbsent(text) ? [] : parseNet(text, 'tcp', 'own'))
      if (state === 'LISTEN') ports.add(portOf(local));
  }
  return ports;
}

function failedAttemptsIn(dir: ProcDir): number | null {
  const text = dir.text('net/snmp');
  return isAbsent(text) ? null : parseFailedAttempts(text);
}

/** Two lines begin with `Tcp:`, names and numbers. */
export function parseFailedAttempts(text: string): number | null {
  const [names, numbers] = text.split('\n').filter((line) => line.startsWith('Tcp: '));
  const index = names?.split(' ').indexOf('AttemptFails') ?? -1;
  const value = index < 0 ? undefined : numbers?.split(' ')[index];
  return value === undefined || !/^\d+$/.test(value) ? null : Number(value);
}
