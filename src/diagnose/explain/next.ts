import type { Cause } from '../graph/cause.js';
import { ownersFrom } from '../graph/closed/lock-cycles.js';
import { pathTo } from '../graph/explore.js';
import type { Task } from '../graph/view.js';
import type { Judgement } from '../judge.js';
import { insteadOf, type NamedProgram, preventionFor } from './instead.js';

/** The process that asks may have any name (`editor`); its parent is often more informative. */
function programsOf({ task, exploration }: Judgement): NamedProgram[] {
  const waiters = pathTo(exploration, task.process.pid).flatMap(({ step }) => step?.from ?? []);
  return [task, ...waiters].map(({ process: { name, command } }) => ({ name, command }));
}

/** What to do instead of what hangs; null: it does not hang, or nothing is known. */
export function insteadFor(judgement: Judgement): string | null {
  const { kind, cause } = judgement;
  return insteadOf({ kind, cause: cause.kind, programs: programsOf(judgement) });
}

function inputSteps(judgement: Judgement): string[] {
  const { task, cause } = judgement;
  const steps: string[] = [];
  if (cause.kind === 'terminal') steps.push(`answer it on /dev/${cause.terminal}`);
  else if (cause.kind === 'stdin')
    steps.push('give it input, or close its standard input: start it with </dev/null');
  const known = preventionFor(programsOf(judgement));
  if (known !== null) steps.push(`prevent it next time: ${known}`);
  steps.push(`stop it: kill ${task.process.pid}`);
  return steps;
}

function stacks({ task }: Judgement): string[] {
  const { pid, runtime } = task.process;
  if (runtime === 'java') return [`see the stacks: jcmd ${pid} Thread.print`];
  if (runtime === 'python') return [`see the stacks: py-spy dump --pid ${pid}`];
  if (runtime === 'go') return [`see the stacks, which ends it: kill -QUIT ${pid}`];
  return [`see the stacks: gdb -p ${pid} -batch -ex 'thread apply all bt'`];
}

function isOneProcess(cause: Cause): boolean {
  return 'tasks' in cause && new Set(cause.tasks.map(({ process }) => process.pid)).size === 1;
}

/** A thread of the process that is in no cycle of locks, and waits for none of it, may go on. */
function hasThreadsBeside({ view, exploration, cause, task: { process } }: Judgement): boolean {
  if (cause.kind !== 'lock-cycle') return false;
  const isOfCycle = (one: Task): boolean => cause.tasks.some(({ thread }) => thread.tid === one.thread.tid);
  return exploration.ends.some(
    ({ waiter, strength }) =>
      strength !== 'derived' &&
      waiter.process === process &&
      !ownersFrom(view, waiter).some((seen) => isOfCycle(seen)),
  );
}

function stopStep(judgement: Judgement): string {
  const { pid } = judgement.task.process;
  if (!hasThreadsBeside(judgement)) return `stop it, it cannot go on: kill ${pid}`;
  const isOne = 'tasks' in judgement.cause && judgement.cause.tasks.length === 1;
  const who = isOne ? 'this thread' : 'these threads';
  return `stop the whole process, ${who} cannot go on: kill ${pid}`;
}

/** What to type next. Nothing is ever done on the user's behalf. */
export function nextFor(judgement: Judgement): string[] {
  const { kind, task, cause } = judgement;
  const { pid } = task.process;
  switch (kind) {
    case 'needs-input':
      return inputSteps(judgement);
    case 'deadlock':
      if (cause.kind === 'stuck-goroutines')
        return [...stacks(judgement), `stop the whole process, these goroutines cannot go on: kill ${pid}`];
      return [...(isOneProcess(cause) ? stacks(judgement) : []), stopStep(judgement)];
    case 'asleep':
      return [`stop it, it cannot go on: kill ${pid}`];
    case 'stopped':
      return cause.kind === 'stopped' && cause.traced
        ? ['let the debugger go on or detach it']
        : [`let it go on: kill -CONT ${pid}`];
    case 'frozen':
      return [
        'thaw its control group: echo 0 > cgroup.freeze (version 2) or echo THAWED > freezer.state (version 1)',
      ];
    case 'lock':
      return holderStep(cause);
    case 'network':
      return [`check whether bytes arrive: unstuck why ${judgement.view.snapshot.targetPid} --watch`];
    case 'zombie':
      return cause.kind === 'zombie'
        ? [`ask why its parent does not collect it: unstuck why ${cause.parent}`]
        : [];
    case 'lingering':
      return cause.kind === 'lingering' ? leftBehindSteps(cause) : [];
    case 'spinning':
      return stacks(judgement);
    case 'starved':
      return ['see what uses the CPU: top -o %CPU'];
    case 'event':
      if (cause.kind === 'access-check')
        return ['find the program that checks it: sudo grep -ls ^fanotify /proc/[0-9]*/fdinfo/*'];
      return cause.kind === 'other-end'
        ? cause.holders.slice(0, 1).map((holder) => `ask what the other side does: unstuck why ${holder}`)
        : [];
    case 'unknown':
      if (cause.kind === 'hidden') return [`repeat it as root: sudo unstuck why ${pid}`];
      return [
        ...(task.process.runtime === 'java' ? stacks(judgement) : []),
        'see what this machine allows: unstuck doctor',
      ];
    default:
      return [];
  }
}

function leftBehindSteps({ holders, ofTool }: Extract<Cause, { kind: 'lingering' }>): string[] {
  const stop = holders.map((holder) => `stop what was left behind: kill ${holder}`);
  return ofTool === true
    ? [...stop, 'start it with another output next time: COMMAND >/dev/null 2>&1 &']
    : stop;
}

function holderStep(cause: Cause): string[] {
  return cause.kind === 'file-lock'
    ? cause.holders.slice(0, 1).map((holder) => `ask what the holder does: unstuck why ${holder}`)
    : [];
}
