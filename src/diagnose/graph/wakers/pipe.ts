import { isAbsent } from '../../../model/facts/absence.js';
import type { FdFacts } from '../../../model/facts/snapshot.js';
import type { Cause } from '../cause.js';
import type { Holder, Holders, Task, View } from '../view.js';
import { toProcesses, type Waker } from '../waker.js';
import { giveInput, inputWakers } from './input.js';

/** Standard input is the file that the program was given to read, whatever number it has now. */
export function isStdin(view: View, task: Task, file: FdFacts): boolean {
  const zero = view.file(task.process, 0);
  return file.fd === 0 || zero === undefined || zero.object === file.object;
}

/** A process of the run that outlived its parents. */
function isOrphan(view: View, holder: Holder): boolean {
  const { process } = holder;
  if (view.hasMember(process.pid) || view.isAncestor(process.pid)) return false;
  const target = view.target;
  const sameSession = target !== undefined && process.session === target.session;
  const adopted =
    process.parent === 1 || (view.isAncestor(process.parent) && process.parent !== target?.parent);
  return adopted && !view.hasMember(process.parent) && sameSession && process.pid !== process.session;
}

/**
 * The output of a command that has ended: a process of the tree reads it, and every writing end is the stdout or stderr
 * that an orphan inherited from the command. A pipe between other processes, a process's own pipe (a libuv server has
 * one for signals) and a pipe on any other number are not output.
 */
function isLeftBehind(view: View, { process }: Task, writers: readonly Holder[]): boolean {
  if (!view.hasMember(process.pid) || writers.length === 0) return false;
  return writers.every((holder) => isOutput(holder.file) && isOrphan(view, holder));
}

function isOutput({ fd }: FdFacts): boolean {
  return fd === 1 || fd === 2;
}

/** A supervisor inside the tree at the other end of its command's input. Its own output does not count. */
function feedsCommand(view: View, pid: number, writers: readonly Holder[]): boolean {
  return view.isFeeder(pid) && writers.every(({ process, file }) => process.pid !== pid || !isOutput(file));
}

/** The writers in the tree, in their order: those that feed the command pass on input from outside. */
function inputFromInside(
  view: View,
  file: FdFacts,
  { holders, insiders }: Pick<Holders, 'holders' | 'insiders'>,
): Waker[] {
  const feeders = new Set(insiders.filter((pid) => feedsCommand(view, pid, holders)));
  if (feeders.size === 0) return toProcesses(insiders, 'pipe');
  return insiders.flatMap((pid) => toProcesses([pid], 'pipe', feeders.has(pid) ? { input: file } : {}));
}

/** A reader waits for the holders of a writing end: for data, or for the last of them to close it. */
export function pipeReadWakers(view: View, task: Task, file: FdFacts): Waker[] {
  const end = view.endOf(file.object, 'write');
  const { holders: writers, pids, insiders, outsiders } = end;
  const stdin = isStdin(view, task, file);
  if (pids.length === 0) {
    // A process that hides its files may be the writer: of the whole tree, also where only a branch is judged.
    const hiding = view.snapshot.processes.filter(({ inTree, fds }) => inTree && isAbsent(fds));
    if (hiding.length > 0)
      return toProcesses(
        hiding.map(({ pid }) => pid),
        'pipe',
      );
  }
  const wakers = stdin ? inputFromInside(view, file, end) : toProcesses(insiders, 'pipe');
  if (!stdin && isLeftBehind(view, task, writers)) {
    const [at = task.process.pid] = pids;
    return [
      ...toProcesses([at], 'pipe'),
      { to: 'outside', cause: { kind: 'lingering', file, holders: pids }, strength: 'plain', at },
    ];
  }
  if (pids.length === 0 && !stdin) {
    wakers.push({ to: 'outside', cause: { kind: 'unseen-holder', file }, strength: 'plain' });
    return wakers;
  }
  if (stdin && (pids.length === 0 || giveInput(view, outsiders))) {
    return [...wakers, ...inputWakers(view, file, outsiders, { via: 'pipe', shared: insiders.length > 0 })];
  }
  wakers.push(...toProcesses(outsiders, 'pipe'));
  if (outsiders.length > 0) {
    const cause: Cause = stdin
      ? { kind: 'stdin', file, holders: outsiders, shared: insiders.length > 0, unseen: false }
      : { kind: 'other-end', file, purpose: 'read', holders: outsiders };
    wakers.push({ to: 'outside', cause, strength: 'derived' });
  }
  return wakers;
}

/** A writer to a full pipe waits for the readers. */
export function pipeWriteWakers(view: View, file: FdFacts): Waker[] {
  const { pids: readers, outsiders } = view.endOf(file.object, 'read');
  if (readers.length === 0)
    return [{ to: 'outside', cause: { kind: 'unseen-holder', file }, strength: 'plain' }];
  const wakers = toProcesses(readers, 'pipe-reader');
  if (outsiders.length > 0) {
    wakers.push({
      to: 'outside',
      cause: { kind: 'other-end', file, purpose: 'write', holders: outsiders },
      strength: 'derived',
    });
  }
  return wakers;
}
