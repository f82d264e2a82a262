import { isAbsent } from '../../../model/facts/absence.js';
import { waitedFds } from '../../../model/facts/calls.js';
import type { FdFacts, ProcessFacts } from '../../../model/facts/snapshot.js';
import type { SocketFacts } from '../../../model/facts/sockets.js';
import type { Cause } from '../cause.js';
import type { Task, View } from '../view.js';
import { toProcesses, type Waker } from '../waker.js';

/** A relay (script, ssh, a multiplexer) passes on input from elsewhere. */
function passesInputOn(view: View, relay: ProcessFacts): boolean {
  if (isAbsent(relay.fds)) return true;
  const { fds } = relay;
  return relay.threads.some(({ call }) => {
    if (isAbsent(call) || call.at !== 'call') return false;
    return waitedFds(call, fds).some(({ fd, read }) => {
      const file = read ? view.file(relay, fd) : undefined;
      if (file === undefined) return false;
      const outsideInput = file.fd === 0 && (file.kind === 'pipe' || file.kind === 'fifo');
      return outsideInput || file.kind === 'terminal' || file.kind === 'socket';
    });
  });
}

/** Whether it may pass input on: it waits for some, or runs and has a place where some may come from. */
function mayPassInputOn(view: View, process: ProcessFacts): boolean {
  if (isAbsent(process.fds) || passesInputOn(view, process)) return true;
  const runs = process.threads.some(
    ({ call, moved }) => isAbsent(call) || call.at !== 'call' || moved !== false,
  );
  return (
    runs &&
    process.fds.some(
      ({ fd, kind }) => kind === 'terminal' || kind === 'socket' || (fd === 0 && kind === 'pipe'),
    )
  );
}

/**
 * Programs outside of the tree that have the other side of a terminal and take no input themselves: what comes from there
 * is not typed by a person.
 */
export function typistsOf(view: View, terminal: string): number[] {
  const index = /^pts\/(\d+)$/.exec(terminal)?.[1];
  const masters = index === undefined ? [] : view.holders(`ptmx:${index}`);
  return masters.flatMap(({ process }) => {
    const { pid } = process;
    const isOutside =
      !view.hasMember(pid) && !view.snapshot.relays.includes(pid) && pid !== view.snapshot.reader.pid;
    return isOutside && !mayPassInputOn(view, process) ? [pid] : [];
  });
}

/** The connection of a client whose terminal a server of the tree relays: a quiet login is not a prompt. */
function clientOf(view: View, relay: ProcessFacts | undefined): SocketFacts | undefined {
  if (relay === undefined || isAbsent(relay.fds)) return undefined;
  return relay.fds.map((file) => view.sockets.of(file)).find((socket) => socket?.accepted === true);
}

/** A supervisor of Unstuck that types the content of a pipe: no person is at that terminal. */
function passesFromElsewhere(view: View, pid: number): boolean {
  const process = view.process(pid);
  const input = process === undefined ? undefined : view.file(process, 0);
  return view.isRelay(pid) && input?.kind !== 'terminal';
}

/** Waits for typed input: from a person, or from the program that holds the other side of the terminal. */
export function terminalWakers(view: View, _task: Task, file: FdFacts): Waker[] {
  const terminal = file.object.slice('terminal:'.length);
  const settings = file.detail?.of === 'terminal' ? file.detail : null;
  const index = /^pts\/(\d+)$/.exec(terminal)?.[1];
  const masters = index === undefined ? [] : view.holders(`ptmx:${index}`);
  const inside = masters.filter(({ process }) => view.hasMember(process.pid)).map(({ process }) => process);
  const supervisor = inside.find(({ pid }) => view.isFeeder(pid));
  if (supervisor !== undefined) return toProcesses([supervisor.pid], 'terminal', { input: file });
  const relay = inside.find((process) => passesInputOn(view, process));
  // A supervisor types nothing by itself; seen from a branch below it, it is outside.
  const isOurs = masters.some(({ process }) => view.snapshot.relays.includes(process.pid));
  if (inside.length > 0 && relay === undefined && !isOurs) {
    return toProcesses(
      inside.map(({ pid }) => pid),
      'terminal',
    );
  }
  const socket = clientOf(view, relay);
  if (socket !== undefined)
    return [{ to: 'outside', strength: 'plain', cause: { kind: 'listening', socket } }];
  const passers = masters.filter(({ process }) => passesFromElsewhere(view, process.pid));
  if (relay === undefined && passers.length > 0) {
    return toProcesses(
      passers.map(({ process }) => process.pid),
      'terminal',
      { input: file },
    );
  }
  return [
    {
      to: 'outside',
      strength: 'plain',
      cause: {
        kind: 'terminal',
        terminal,
        password: settings?.canonical === true && !settings.echo,
        keys: settings?.canonical === false,
        // Where the settings could not be read, the read may be timed.
        timed: settings?.timed !== false,
        relay: relay?.pid ?? null,
      },
    },
  ];
}

/** A writer to a terminal waits for the other side to read, or for Ctrl-Q after Ctrl-S. */
export function terminalWriteWakers(view: View, file: FdFacts): Waker[] {
  const index = /^terminal:pts\/(\d+)$/.exec(file.object)?.[1];
  const masters = index === undefined ? [] : view.holders(`ptmx:${index}`);
  const pids = [...new Set(masters.map(({ process }) => process.pid))];
  const outsiders = pids.filter((pid) => !view.hasMember(pid));
  if (pids.length === 0)
    return [{ to: 'outside', cause: { kind: 'device', link: file.link }, strength: 'plain' }];
  const wakers = toProcesses(pids, 'terminal');
  if (outsiders.length > 0) {
    const cause: Cause = { kind: 'other-end', file, purpose: 'write', holders: outsiders };
    wakers.push({ to: 'outside', cause, strength: 'derived' });
  }
  return wakers;
}

/** The master side waits for the programs on the terminal to write something or to end. */
export function masterWakers(view: View, task: Task, file: FdFacts): Waker[] {
  const slave = file.detail?.of === 'ptmx' ? `terminal:pts/${file.detail.index}` : null;
  const pids = new Set<number>();
  for (const { process } of slave === null ? [] : view.holders(slave)) {
    if (process.pid !== task.process.pid) pids.add(process.pid);
  }
  if (pids.size === 0) {
    return [{ to: 'outside', cause: { kind: 'unseen-holder', file }, strength: 'plain' }];
  }
  return toProcesses([...pids], 'terminal');
}
