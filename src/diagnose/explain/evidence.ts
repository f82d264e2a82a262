import { isAbsent } from '../../model/facts/absence.js';
import type { BlockedCall } from '../../model/facts/snapshot.js';
import { isOfKernel } from '../../model/facts/sockets.js';
import { formatDuration } from '../../text/duration.js';
import { printable, printablePath } from '../../text/printable.js';
import type { Awaited } from '../graph/awaited.js';
import { isDistant } from '../graph/doubt.js';
import { pathTo } from '../graph/explore.js';
import type { Outlook } from '../graph/thread-outlook.js';
import type { Task, View } from '../graph/view.js';
import { waitOf } from '../graph/wait.js';
import { ownerOf } from '../graph/wakers/futex.js';
import type { Judgement } from '../judge.js';
import { viaWords } from './chain.js';
import { goroutineLines } from './goroutines.js';
import { monitorLine, monitorLines } from './monitors.js';
import { fileTag, namesOf, taskTag } from './names.js';

const setMembersShown = 4;
const tasksShown = 6;

function fileWords(view: View, { file }: Extract<Awaited, { what: 'file' }>): string {
  const socket = view.sockets.of(file);
  if (socket === undefined) return fileTag(file);
  const ends =
    socket.family === 'unix' || isOfKernel(socket)
      ? `${socket.family} socket`
      : `${socket.family} ${socket.local} to ${socket.remote} ${socket.state}`;
  return `fd ${file.fd} = ${printable(ends)}`;
}

function futexWords(view: View, task: Task, call: BlockedCall): string {
  const { futex } = call;
  if (futex === undefined) return '';
  const owner = ownerOf(view, task.process, futex);
  const lock = `at ${futex.address}`;
  if (owner === null) return ` ${lock}, owner not recorded`;
  if ('gone' in owner) return ` on a lock ${lock} owned by thread ${owner.gone}, which is gone`;
  return owner.via === 'join'
    ? ` for thread ${owner.tid} to end`
    : ` on a lock ${lock} owned by thread ${owner.tid}`;
}

function setWords(view: View, files: Extract<Awaited, { what: 'file' }>[]): string {
  if (files.length === 0) return ' on nothing';
  const shown = files.slice(0, setMembersShown).map((awaited) => fileWords(view, awaited));
  const more = files.length - shown.length;
  return ` on ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function callWords(view: View, task: Task): string {
  const { call, wchan, state } = task.thread;
  const wait = waitOf(view, task);
  if (wait === null) return 'running';
  const files = wait.on
    .filter((awaited) => awaited.what === 'file')
    .filter(({ purpose }) => purpose !== 'control' || wait.form === 'single');
  const on = wait.form === 'set' || files.length > 0 ? setWords(view, files) : '';
  const timeout =
    wait.timeout === null
      ? wait.form === 'set' && wait.complete
        ? ', no timeout'
        : ''
      : timeoutWords(wait.timeout);
  if (isAbsent(call)) return `asleep in the kernel function ${wchan ?? '(hidden)'} (state ${state})${on}`;
  if (call.at !== 'call') return `blocked outside any call (state ${state})`;
  const path = typeof call.path === 'string' ? ` ${printablePath(call.path)}` : '';
  return `blocked in ${call.name}${path}${on}${futexWords(view, task, call)}${timeout}`;
}

function timeoutWords({ leftMs, exact }: { leftMs: number | null; exact: boolean }): string {
  if (leftMs === null) return ', with a timeout';
  return exact ? `, ${formatDuration(leftMs)} left` : `, timeout ${formatDuration(leftMs)}`;
}

function sinceWords({ thread }: Task): string {
  if (thread.moved === true) return ', it ran meanwhile';
  if (thread.moved === null) return '';
  return thread.offCpuMs === null
    ? ', did not run between two reads'
    : `, same call for ${formatDuration(thread.offCpuMs)}, no CPU since`;
}

/** A line about one thread: `node(4374) blocked in epoll_wait on fd 0 = pipe:[7], no timeout`. */
export function describeTask(view: View, task: Task): string {
  const { monitor } = task.thread;
  if (monitor !== undefined) return monitorLine(task, monitor);
  return `${taskTag(task)} ${callWords(view, task)}${sinceWords(task)}`;
}

function stateLine({ task, state }: Outlook): string {
  const { process, thread } = task;
  const cpu = thread.ranMs > 0 ? `, ran ${formatDuration(thread.ranMs)} between two reads` : '';
  return `${taskTag(task)} is in state ${thread.laterState}${cpu}${state?.kind === 'frozen' ? `, control group ${process.cgroup?.path}` : ''}`;
}

function socketLines(judgement: Judgement): string[] {
  const { cause } = judgement;
  if (!('socket' in cause) || isOfKernel(cause.socket)) return [];
  const { socket } = cause;
  const queue = `${socket.receiveQueue} bytes unread, ${socket.sendQueue} bytes not acknowledged`;
  if (socket.state === 'LISTEN')
    return [
      `${socket.local ? printablePath(socket.local) : 'unix socket'} LISTEN, ${socket.receiveQueue} connections waiting`,
    ];
  const tries = (socket.retransmits ?? 0) > 0 ? `, ${socket.retransmits} retransmits` : '';
  return [
    `${socket.family} ${printablePath(socket.local)} to ${printablePath(socket.remote)} ${socket.state}: ${queue}${tries}`,
  ];
}

/** In a deadlock between processes: the process that this process waits for. */
function towards({ view, cause, exploration }: Judgement, { process, thread }: Task): string {
  if (cause.kind !== 'knot') return '';
  for (const { from, to, via } of exploration.edges) {
    if (from.thread.tid !== thread.tid) continue;
    const other = to.find((pid) => pid !== process.pid && view.process(pid) !== undefined);
    if (other !== undefined) return `, waits for ${viaWords[via]} ${namesOf(view, [other])}`;
  }
  return '';
}

/** Lines that a person can check: which thread is blocked where, since when, and what else was seen. */
export function evidenceFor(judgement: Judgement): string[] {
  const { view, exploration, cause, task, waiter } = judgement;
  if (cause.kind === 'stuck-goroutines') return goroutineLines(judgement);
  const members = cause.kind === 'knot' || cause.kind === 'lock-cycle' ? cause.tasks : [waiter];
  const lines = members.slice(0, tasksShown).map((member) => {
    const outlook = exploration.outlooks
      .get(member.process.pid)
      ?.find((other) => other.task.thread.tid === member.thread.tid);
    if (outlook !== undefined && outlook.state !== null) return stateLine(outlook);
    return `${describeTask(view, member)}${towards(judgement, member)}`;
  });
  if (members.length > tasksShown)
    lines.push(`and ${members.length - tasksShown} more threads in the same way`);
  lines.push(...socketLines(judgement), ...goroutineLines(judgement), ...monitorLines(judgement));
  if (task !== waiter) lines.push(describeTask(view, task));
  const waiting = pathTo(exploration, task.process.pid).length - 1;
  if (waiting > 0)
    lines.push(
      waiting === 1
        ? 'the process before it in the chain only waits for it'
        : `the ${waiting} before it in the chain only wait for the next`,
    );
  if (judgement.elsewhere !== null)
    lines.push(`meanwhile ${namesOf(view, [judgement.elsewhere])} of the same tree goes on`);
  if (isDistant(judgement.cause))
    lines.push('what writes its input is not seen: it may be on another machine');
  const optional = judgement.others.some((other) => other.kind === 'stdin' || other.kind === 'terminal');
  if (optional && judgement.kind !== 'needs-input')
    lines.push('it also waits for its input, among other things');
  return lines;
}
