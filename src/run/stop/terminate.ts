import os from 'node:os';
import { setTimeout as delay, setImmediate as yieldOnce } from 'node:timers/promises';
import { isAbsent } from '../../model/facts/absence.js';
import type { Receipt } from '../../model/run/receipt.js';
import { readText } from '../../probe/machine.js';
import type { Member, ScanOptions } from '../../probe/members.js';
import { freePorts, listeningPorts } from '../../probe/ports.js';
import { commandLineOf, parseStatus, readRow } from '../../probe/processes.js';
import { nextReading } from '../../probe/snapshots.js';
import { printable } from '../../text/printable.js';
import { TerminationPlan } from './plan.js';
import { createSender, type Send, type SendOutcome } from './send-signal.js';

/** The processes to stop, read at each call. */
export interface MemberSource {
  /** The shim, which is never signalled; null: there is none. */
  readonly shim: number | null;
  /** false: the last scan could not read every process. */
  readonly isWhole: boolean;
  scan(options?: ScanOptions): Member[];
}

export interface TerminateOptions {
  scan: MemberSource;
  /** The signal that asks the tree to end; SIGKILL: no grace. */
  signal: NodeJS.Signals;
  /** For the whole tree. */
  graceMs: number;
  /** Ends the grace at once. */
  abort?: AbortSignal;
  onSignal?(member: Member, signal: NodeJS.Signals, outcome: SendOutcome): void;
  /** Milliseconds of a clock that never jumps. */
  now?(): number;
  send?: Send;
  /** Called after each poll. `isWhole`: it could read every process. */
  onPoll?(isWhole: boolean): void;
  /** How long to try when no process is found but some cannot be read. After that the receipt is not `whole`. */
  unreadMsMax?: number;
}

const unreadMsDefault = 10_000;

/** Stops a whole tree and proves it. */
export async function terminate(options: TerminateOptions): Promise<Receipt> {
  const { scan, signal, graceMs, abort, onSignal, onPoll, now = () => performance.now() } = options;
  const { unreadMsMax = unreadMsDefault } = options;
  const at = new Date().toISOString();
  const startedMs = now();
  const send = options.send ?? createSender(scan.shim);
  const plan = new TerminationPlan({ signal, graceMs });
  const commands = new Map<string, string>();
  /** Processes that ignored the signal, and were reported once. */
  const ignored = new Set<string>();
  let readMs = startedMs;
  const first = await nextReading();
  let members = scan.scan({ fresh: true, table: first });
  const ports = listeningPorts(
    members.map(({ pid }) => pid),
    first.listeners,
  );
  for (;;) {
    const move = plan.next(members, now(), abort?.aborted ?? false, scan.isWhole);
    onPoll?.(scan.isWhole);
    if (scan.isWhole || members.length > 0) readMs = now();
    for (const { member } of move.orders) describe(member, commands);
    for (const order of move.orders) {
      const { member } = order;
      // A shell ignores SIGTERM while it reads its start-up files, and then runs its command.
      const isDeaf = () => order.signal === signal && ignores(member.pid, signal);
      const wasDeaf = isDeaf();
      const outcome = send(member, order.signal);
      const isIgnored = outcome === 'sent' && wasDeaf && isDeaf();
      plan.note(order, isIgnored ? 'ignored' : outcome);
      const key = `${member.pid} ${member.startTicks}`;
      if (!ignored.has(key)) onSignal?.(member, order.signal, outcome);
      if (isIgnored) ignored.add(key);
    }
    if (move.done || now() - readMs > unreadMsMax) break;
    await rest(move.waitMs, abort);
    members = scan.scan({ fresh: move.fresh, table: await nextReading() });
  }
  const free = freePorts(ports, ports.length === 0 ? new Map() : (await nextReading()).listeners);
  const processes = plan.results().map(({ member, signals, result }) => ({
    pid: member.pid,
    startTicks: member.startTicks,
    command: commands.get(`${member.pid} ${member.startTicks}`) ?? `[${printable(member.name)}]`,
    because: [...member.because],
    signals,
    result,
  }));
  return {
    at,
    tookMs: Math.round(now() - startedMs),
    rounds: plan.rounds,
    whole: scan.isWhole,
    processes,
    survivors: processes.filter(({ result }) => result !== 'ended').map(({ pid }) => pid),
    ports: ports.map((port) => ({ port, free: free.has(port) })),
  };
}

function ignores(pid: number, signal: NodeJS.Signals): boolean {
  const status = readText(`/proc/${pid}/status`);
  if (isAbsent(status)) return false;
  const bit = 1n << BigInt(os.constants.signals[signal] - 1);
  return (BigInt(`0x${parseStatus(status).ignored}`) & bit) !== 0n;
}

/** Reads the command line while the process exists. After a failed read, it is read again before the next signal. */
function describe({ pid, startTicks }: Member, commands: Map<string, string>): void {
  const key = `${pid} ${startTicks}`;
  if (commands.has(key)) return;
  const row = readRow(pid);
  if (isAbsent(row) || row.startTicks !== startTicks) return;
  const command = commandLineOf(pid);
  if (command !== null) commands.set(key, command);
}

async function rest(ms: number, abort: AbortSignal | undefined): Promise<void> {
  if (ms <= 0) return yieldOnce();
  if (abort === undefined || abort.aborted) return delay(ms);
  await delay(ms, undefined, { signal: abort }).catch(() => {});
}
