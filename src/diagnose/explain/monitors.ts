import { printable } from '../../model/printable.js';
import type { MonitorFacts } from '../../model/snapshot.js';
import type { Judgement } from '../judge.js';
import type { Task } from '../view.js';
import { tag } from './names.js';

const threadsShown = 6;
const waitersShown = 2;

/** `4380 (Thread-0)`: Java threads have names by which the program's author knows them. */
function threadName({ name, tid }: Task['thread']): string {
  return `${tid} (${printable(name)})`;
}

/** `java(4371) thread 4379 (Thread-1) waits to enter the Java monitor at 0x7f…, which thread 4380 (Thread-0) is in`. */
export function monitorLine({ process, thread }: Task, { address, owner }: MonitorFacts): string {
  const holder = process.threads.find(({ tid }) => tid === owner);
  const name = holder === undefined ? `${owner}` : threadName(holder);
  const who = `${tag(process)} thread ${threadName(thread)}`;
  return `${who} waits to enter the Java monitor at ${address}, which thread ${name} is in, at both looks`;
}

/** The sentence about a circle of Java monitors; null: it is of other locks as well. */
export function monitorCircle(tasks: readonly Task[]): string | null {
  const [first] = tasks;
  if (first === undefined || tasks.some(({ thread }) => thread.monitor === undefined)) return null;
  const shown = tasks.slice(0, threadsShown).map(({ thread }) => threadName(thread));
  const more = tasks.length > shown.length ? ' …' : '';
  return `${tasks.length} threads of ${tag(first.process)} hold the Java monitors each other needs: ${shown.join(', ')}${more}`;
}

/** Who waits for a monitor that the thread to look at is in. */
export function monitorLines({ task: { process, thread }, cause }: Judgement): string[] {
  if (cause.kind === 'lock-cycle') return [];
  const lines = process.threads.flatMap((waiter) =>
    waiter.monitor?.owner === thread.tid ? monitorLine({ process, thread: waiter }, waiter.monitor) : [],
  );
  const more = lines.length - waitersShown;
  return more > 0
    ? [...lines.slice(0, waitersShown), `and ${more} more wait for a Java monitor of that thread`]
    : lines;
}
