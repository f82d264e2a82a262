import { signalName } from '../../model/facts/signals.js';
import { isOfKernel } from '../../model/facts/sockets.js';
import { formatDuration } from '../../text/duration.js';
import { printable, printablePath } from '../../text/printable.js';
import type { Cause, CauseKind } from '../graph/cause.js';
import type { Judgement } from '../judge.js';
import { goroutineName } from './goroutines.js';
import { monitorCircle } from './monitors.js';
import { nameOf, namesOf, shortName, tag } from './names.js';
import {
  left,
  listenedOn,
  listenedTo,
  listOf,
  promptOf,
  silence,
  supposedTimer,
  zombieExit,
} from './phrases.js';

type Sentence<K extends CauseKind> = (cause: Extract<Cause, { kind: K }>, judgement: Judgement) => string;

const goroutinesNamed = 4;

/** The sentences that give the reason, one per cause; a cause without a sentence does not compile. */
const sentences: { [K in CauseKind]: Sentence<K> } = {
  computing: ({ ranMs, gapMs }, { task }) => {
    const share = Math.round((ranMs / gapMs) * 100);
    return share < 1
      ? `${shortName(task.process)} ran a moment ago`
      : `${shortName(task.process)} computes: ${share} % of one CPU right now`;
  },
  changing: ({ change }, { task }) =>
    ({
      ended: `${shortName(task.process)} ended during the snapshot`,
      exec: `${shortName(task.process)} just became another program`,
      closed: `${shortName(task.process)} closed what it waited for during the snapshot`,
      grew: `${shortName(task.process)} started a thread or a process a moment ago`,
      'child-ended': `a child of ${shortName(task.process)} ended during the snapshot`,
      ran: `${shortName(task.process)} ran a moment ago: the threads that wait here wake each other`,
    })[change],
  disk: (_, { task }) => `${shortName(task.process)} waits for the disk`,
  transfer: ({ over }, { task }) =>
    over === 'socket'
      ? `${shortName(task.process)} receives or sends data over the network`
      : `${shortName(task.process)} reads or writes data`,
  spinning: ({ failedCalls }, { task, view }) =>
    `${shortName(task.process)} uses the CPU without getting anywhere: ${failedCalls.toLocaleString('en-US')} reads or writes in ${Math.round(view.snapshot.gapMs)} ms moved no byte`,
  starved: ({ throttled }, { task }) =>
    throttled
      ? `${shortName(task.process)} is ready to run, but the CPU quota of its control group is used up`
      : `${shortName(task.process)} is ready to run, but gets no CPU time: other processes use it all`,
  stopped: ({ signal, traced }, { task }) =>
    traced
      ? `${shortName(task.process)} is held by a debugger`
      : `${shortName(task.process)} was stopped${signal === null ? '' : ` by ${signalName(signal)}`}${signal === 21 ? ' (it read from the terminal in the background)' : ''}`,
  frozen: ({ group }, { task }) => `${shortName(task.process)} is frozen with its control group ${group}`,
  zombie: ({ parent, status }, { task, view }) =>
    `${shortName(task.process)} has ended (${zombieExit(status)}), but its parent ${nameOf(view, parent)} has not collected it`,
  'kernel-thread': (_, { task }) => `${shortName(task.process)} is a thread of the kernel with nothing to do`,
  ourselves: () => 'it only waits for this unstuck command, and nothing else happens',
  terminal: ({ password, keys, relay }, { task, view }) => {
    const prompt = promptOf(task);
    const who = shortName(task.process);
    const through = relay === null ? '' : `, through ${nameOf(view, relay)}`;
    const what = password ? 'type a password' : keys ? 'press a key' : 'type';
    return `${who} waits for a person to ${what}${through}${prompt}`;
  },
  stdin: ({ holders }, { task, view }) =>
    holders.length === 0
      ? `${shortName(task.process)} waits for input on its standard input${promptOf(task)}`
      : `${shortName(task.process)} waits for input that ${namesOf(view, holders)} would have to send${promptOf(task)}`,
  timer: ({ leftMs, exact, supposed }, { task }) =>
    supposed
      ? `${shortName(task.process)} ${supposedTimer(leftMs)}`
      : `${shortName(task.process)} sleeps ${left(leftMs, exact)}, then goes on by itself`,
  connection: ({ socket }, { task }) =>
    `${shortName(task.process)} waits for an answer from ${socket.remote}${silence(socket)}`,
  connecting: ({ socket }, { task }) =>
    `${shortName(task.process)} tries to connect to ${socket.remote}, which does not answer`,
  datagram: ({ socket, dns }, { task }) =>
    dns
      ? `${shortName(task.process)} waits for the name server ${socket.remote}, which has not answered`
      : `${shortName(task.process)} waits for a datagram from ${socket.remote}`,
  'local-peer': ({ peer, socket }, { task, view }) =>
    `${shortName(task.process)} waits for an answer from ${nameOf(view, peer)} at ${printablePath(socket.remote)}, which is itself waiting${silence(socket)}`,
  daemon: ({ path }, { task }) =>
    `${shortName(task.process)} waits for news from the daemon of Unstuck at ${path}`,
  listening: ({ socket }, { task }) =>
    socket.receiveQueue > 0 && socket.state === 'LISTEN'
      ? `${shortName(task.process)} listens on ${listenedOn(socket)} with ${socket.receiveQueue} connections not accepted yet`
      : socket.accepted
        ? `${shortName(task.process)} is a service with nothing to do: it waits for the next request of a client`
        : `${shortName(task.process)} is a service with nothing to do: it listens ${listenedTo[socket.family] ?? `on ${listenedOn(socket)}`}`,
  watching: (_, { task }) => `${shortName(task.process)} watches files, and none has changed`,
  'file-lock': ({ holders, file }, { waiter: task, view }) =>
    holders.length === 0
      ? `${shortName(task.process)} waits for the lock on ${printablePath(file)}`
      : `${shortName(task.process)} waits for the lock on ${printablePath(file)}, held by ${namesOf(view, holders)}`,
  'fifo-partner': ({ path, opening }, { task }) =>
    opening
      ? `${shortName(task.process)} opens the FIFO ${printablePath(path)} and waits until another process opens the other end`
      : `${shortName(task.process)} waits until another process uses the other end of the FIFO ${printablePath(path)}`,
  'other-end': ({ purpose, holders }, { task, view }) =>
    purpose === 'write'
      ? `${shortName(task.process)} cannot write more: ${holders.length === 0 ? 'the receiver' : namesOf(view, holders)} does not read`
      : `${shortName(task.process)} waits for ${namesOf(view, holders)} to send it something`,
  lingering: ({ holders, ofTool }, { waiter: task, view }) =>
    `the ${ofTool === true ? 'tool' : 'command'} has ended, but ${namesOf(view, holders)} keeps its output open, so ${shortName(task.process)} waits for the end of it`,
  signal: ({ explicit }, { task }) =>
    explicit
      ? `${shortName(task.process)} waits for a signal`
      : `${shortName(task.process)} waits for a signal that it handles, or for an event that cannot occur`,
  filesystem: ({ path }, { task }) =>
    `${shortName(task.process)} is blocked inside a file system${path === null ? '' : ` at ${printablePath(path)}`}`,
  device: ({ link }, { task }) => `${shortName(task.process)} waits for ${printable(link)}`,
  ring: (_, { task }) =>
    `${shortName(task.process)} waits for an asynchronous request (io_uring or AIO) to finish`,
  ipc: ({ call }, { task }) => `${shortName(task.process)} waits in ${call} for another process to post`,
  'page-fault': (_, { task }) =>
    `${shortName(task.process)} touched a page of memory that another thread or process must provide (userfaultfd)`,
  'access-check': ({ path }, { task }) =>
    `${shortName(task.process)} waits until a program that checks accesses to files (fanotify) allows its access${path === null ? '' : ` to ${printablePath(path)}`}`,
  'unseen-holder': ({ file }, { task }) =>
    `${shortName(task.process)} waits for the other end of fd ${file.fd}, held by a process that is not visible here`,
  hidden: (_, { task }) =>
    `${shortName(task.process)} hides even from its own user what it waits for: only root can see it`,
  unknown: ({ what }, { task }) =>
    `${shortName(task.process)} waits for ${what}; the meaning of that is unknown`,
  knot: ({ alone, tasks }, { task }) => {
    if (alone) return `${shortName(task.process)} sleeps, and only a signal can wake it`;
    const processes = [...new Set(tasks.map(({ process }) => tag(process)))];
    return processes.length > 1
      ? `${listOf(processes)} are deadlocked`
      : tasks.length > 1
        ? `all threads of ${tag(task.process)} are deadlocked`
        : `${tag(task.process)} waits for an event that only it could cause`;
  },
  goroutines: ({ waits, forNothing }, { task }) => {
    const count = waits.reduce((sum, wait) => sum + wait.count, 0);
    const who = tag(task.process);
    if (forNothing) return `the goroutines of ${who} wait for events that cannot occur`;
    return count === 1
      ? `the only goroutine of ${who} waits for another goroutine, and no other exists`
      : `all ${count.toLocaleString('en-US')} goroutines of ${who} are deadlocked`;
  },
  'stuck-goroutines': ({ stuck }, { task }) => {
    const names = stuck.slice(0, goroutinesNamed).map(goroutineName);
    const more =
      stuck.length > names.length ? ` and ${(stuck.length - names.length).toLocaleString('en-US')} more` : '';
    return stuck.length === 1
      ? `${names.join()} of ${tag(task.process)} can never be woken by the rest of the program`
      : `${stuck.length.toLocaleString('en-US')} goroutines of ${tag(task.process)} are deadlocked: ${names.join(', ')}${more}`;
  },
  'lock-cycle': ({ tasks, goneOwner }, { task }) =>
    goneOwner !== null
      ? `${tag(task.process)} waits for a lock whose owner${goneOwner === 0 ? '' : `, thread ${goneOwner},`} no longer exists`
      : tasks.length === 1
        ? `${tag(task.process)} waits for a lock that it holds itself`
        : (monitorCircle(tasks) ??
          `${tasks.length} threads of ${tag(task.process)} wait for each other's locks`),
};

export function reasonFor(judgement: Judgement): string {
  // Each row takes its own cause; TypeScript cannot follow that through a union.
  const sentence = sentences[judgement.cause.kind] as Sentence<CauseKind>;
  return sentence(judgement.cause, judgement);
}

/** What the last process of a chain waits for, in a few words; empty: it does not wait. */
const ends: { [K in CauseKind]: string | ((cause: Extract<Cause, { kind: K }>) => string) } = {
  'access-check': 'a program that checks accesses to files',
  changing: '',
  computing: '',
  connecting: ({ socket }) => `a connection to ${printablePath(socket.remote)}`,
  connection: ({ socket }) => `the network: ${printablePath(socket.remote)} (${socket.state})`,
  daemon: 'news from the daemon of Unstuck',
  datagram: ({ dns, socket }) =>
    `${dns ? 'the name server' : 'a datagram from'} ${printablePath(socket.remote)}`,
  device: ({ link }) => printable(link),
  disk: 'the disk',
  'fifo-partner': ({ path }) => `a partner on the FIFO ${printablePath(path)}`,
  'file-lock': ({ file }) => `the lock on ${printablePath(file)}`,
  filesystem: 'a file system',
  frozen: '',
  goroutines: ({ forNothing }) =>
    forNothing ? 'nothing that could come' : 'its own goroutines, which wait for each other',
  hidden: 'something that it hides from its own user',
  ipc: 'a queue or semaphore',
  'kernel-thread': '',
  knot: ({ alone }) => (alone ? 'nothing that could come' : 'the other members of the deadlock'),
  lingering: 'the end of output that an orphan keeps open',
  listening: ({ socket }) =>
    socket.accepted
      ? 'the next request of a client'
      : isOfKernel(socket)
        ? 'news of the kernel'
        : 'connections',
  'local-peer': ({ socket }) => `an answer from ${printablePath(socket.remote)}`,
  'lock-cycle': ({ goneOwner }) =>
    goneOwner === null ? 'a lock in a cycle of locks' : 'a lock that no thread can release',
  'other-end': ({ purpose }) =>
    purpose === 'write' ? 'its output to be read' : 'something to be sent to it',
  ourselves: '',
  'page-fault': 'a page of memory',
  ring: 'an asynchronous request',
  signal: 'a signal',
  spinning: '',
  starved: '',
  stdin: 'input on its standard input',
  stopped: '',
  'stuck-goroutines': 'its own goroutines, some of which are deadlocked',
  terminal: ({ password, keys, terminal }) =>
    `${password ? 'a password' : keys ? 'a key' : 'a line'} on the terminal /dev/${terminal}`,
  timer: ({ leftMs }) => (leftMs === null ? 'a timer' : `a timer, ${formatDuration(leftMs)} left`),
  transfer: '',
  unknown: ({ what }) => what,
  'unseen-holder': ({ file }) => `the other end of fd ${file.fd}`,
  watching: 'files to change',
  zombie: '',
};

export function endWords(cause: Cause): string {
  const words = ends[cause.kind] as string | ((cause: Cause) => string);
  return typeof words === 'string' ? words : words(cause);
}
