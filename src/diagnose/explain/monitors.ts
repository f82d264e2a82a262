import { isOfPython, type MonitorFacts } from '../../model/facts/monitors.js';
import { printableName } from '../../text/printable.js';
import type { Task } from '../graph/view.js';
import type { Judgement } from '../judge.js';
import { tag } from './names.js';

const threadsShown = 6;
const waitersShown = 2;

/** `4380 (Thread-0)`: Java threads have names by which the program's author knows them. */
function threadName({ name, tid }: Task['thread']): string {
  return `${tid} (${printableName(name)})`;
}

/**
 * `java(4371) thread 4379 (Thread-1) waits to enter the Java monitor at 0x7f…, which thread 4380 (Thread-0) holds`, or
 * `… waits for the Java ReentrantLock at 0x6f…, which thread 4380 (Thread-0) holds`.
 */
export function monitorLine({ process, thread }: Task, monitor: MonitorFacts): string {
  const { address, owner, type, ended } = monitor;
  const holder = process.threads.find(({ tid }) => tid === owner);
  const name = holder === undefined ? `${owner}` : threadName(holder);
  const who = `${tag(process)} thread ${threadName(thread)}`;
  if (type === undefined)
    return `${who} waits to enter the Java monitor at ${address}, which thread ${name} holds, in both reads`;
  if (type === 'threading.Thread') return `${who} waits for thread ${name} to end, in both reads`;
  if (type === 'class initialization')
    return `${who} waits for the Java class at ${address}, which thread ${name} initializes, in both reads`;
  const language = isOfPython(type) ? 'Python' : 'Java';
  if (ended)
    return `${who} waits for the ${language} ${type} at ${address}, whose owner has ended, in both reads`;
  return `${who} waits for the ${language} ${type} at ${address}, which thread ${name} holds, in both reads`;
}

/** The kind of these waits: monitors, locks, or both. */
function kindWords(monitors: readonly MonitorFacts[]): string {
  const locks = monitors.filter(({ type }) => type !== undefined).length;
  if (locks === 0) return 'Java monitors';
  if (monitors.some(({ type }) => isOfPython(type))) return 'Python locks';
  if (monitors.every(({ type }) => type === 'class initialization')) return 'initialization of Java classes';
  return locks === monitors.length ? 'Java locks' : 'Java monitors and locks';
}

/** The sentence about a cycle of Java monitors and locks; null: the cycle contains other locks as well. */
export function monitorCircle(tasks: readonly Task[]): string | null {
  const [first] = tasks;
  const monitors = tasks.flatMap(({ thread }) => thread.monitor ?? []);
  if (first === undefined || monitors.length < tasks.length) return null;
  const shown = tasks.slice(0, threadsShown).map(({ thread }) => threadName(thread));
  const more = tasks.length > shown.length ? ' …' : '';
  const what = kindWords(monitors);
  return `${tasks.length} threads of ${tag(first.process)} wait for each other's ${what}: ${shown.join(', ')}${more}`;
}

/** Threads that wait for a monitor or lock that the reported thread has. */
export function monitorLines({ task: { process, thread }, cause }: Judgement): string[] {
  if (cause.kind === 'lock-cycle') return [];
  const waiters = process.threads.flatMap((waiter) =>
    waiter.monitor?.owner === thread.tid ? { waiter, monitor: waiter.monitor } : [],
  );
  const lines = waiters
    .slice(0, waitersShown)
    .map(({ waiter, monitor }) => monitorLine({ process, thread: waiter }, monitor));
  const others = waiters.slice(waitersShown).map(({ monitor }) => monitor);
  return others.length === 0
    ? lines
    : [...lines, `and ${others.length} more wait for ${kindWords(others)} of that thread`];
}
