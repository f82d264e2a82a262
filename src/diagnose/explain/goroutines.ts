import { type AbsenceReason, isAbsent } from '../../model/facts/absence.js';
import type { GoroutineFacts, ParkedGoroutine } from '../../model/facts/goroutines.js';
import { formatDuration } from '../../text/duration.js';
import { printable } from '../../text/printable.js';
import type { Cause } from '../graph/cause.js';
import { areParked, programWaits } from '../graph/closed/goroutines.js';
import type { Judgement } from '../judge.js';

const reasonsShown = 6;
const stuckShown = 6;
const thingsShown = 3;

const whyAbsent: Record<AbsenceReason, string> = {
  unsupported:
    'they are not to be found in its memory: it has only just started, or its version of Go is not known',
  'not-permitted': 'no right to read its memory',
  hidden: 'it hides its memory even from its own user',
  uncaptured: 'a plain shell cannot read them',
  withheld: 'its memory was withheld on request',
  gone: 'it ended meanwhile',
  limit: 'a limit was reached',
  failed: 'they changed while they were read',
};

const number = (count: number): string => count.toLocaleString('en-US');

/** `3 wait in sync.Mutex.Lock, 1 in a call`. */
function stateWords(facts: GoroutineFacts): string {
  const waits = programWaits(facts).sort((a, b) => b.count - a.count);
  const shown = waits
    .slice(0, reasonsShown)
    .map(({ reason, count }) => `${number(count)} in ${printable(reason)}`);
  const more = waits.slice(reasonsShown).reduce((sum, { count }) => sum + count, 0);
  if (more > 0) shown.push(`${number(more)} in other waits`);
  shown.push(`${facts.inCalls === 0 ? 'none' : number(facts.inCalls)} in a call`);
  shown.push(`${facts.running === 0 ? 'none' : number(facts.running)} running`);
  return shown.join(', ');
}

/** `goroutine 1 (main)`. */
export function goroutineName({ id }: ParkedGoroutine): string {
  return id === 1 ? 'goroutine 1 (main)' : `goroutine ${id}`;
}

/** `waits in semacquire for 0xc000018094 at main.worker (main.go:17), for at least 2m`. */
function parkedLine(parked: ParkedGoroutine): string {
  const at = parked.at === null ? '' : ` at ${printable(parked.at)}`;
  const since = parked.sinceMs === null ? '' : `, for at least ${formatDuration(parked.sinceMs)}`;
  return `${goroutineName(parked)} waits in ${parkedWords(parked)}${at}${since}`;
}

/** `chan send for 0xc000018094`. */
export function parkedWords({ reason, awaits }: ParkedGoroutine): string {
  const shown = (awaits ?? []).slice(0, thingsShown).join(', ');
  const more = (awaits?.length ?? 0) > thingsShown ? ' …' : '';
  return `${printable(reason)}${shown === '' ? '' : ` for ${shown}${more}`}`;
}

function stuckLines(cause: Extract<Cause, { kind: 'stuck-goroutines' }>): string[] {
  const lines = cause.stuck.slice(0, stuckShown).map(parkedLine);
  const more = cause.stuck.length - lines.length;
  if (more > 0) lines.push(`and ${number(more)} more goroutines in the same way`);
  return [...lines, 'no goroutine that may still run, no timer and no variable leads to what they wait for'];
}

/** The state of a Go program's own scheduler, for a person who wants to check it or to go on from there. */
export function goroutineLines({ task, kind, cause }: Judgement): string[] {
  if (cause.kind === 'stuck-goroutines') return stuckLines(cause);
  const { goroutines } = task.process;
  if (goroutines === undefined) return [];
  if (isAbsent(goroutines))
    return kind === 'unknown' ? [`its goroutines are not known: ${whyAbsent[goroutines.absent]}`] : [];
  const { unread } = goroutines;
  const part = unread === 0 ? '' : ` (without ${number(unread)} that were not read)`;
  const lines = [`its goroutines${part}: ${stateWords(goroutines)}`];
  // Go keeps a stopped timer until its time comes, and sleeps until then.
  if (kind === 'timer' && areParked(goroutines) && goroutines.inCalls === 0)
    lines.push('no goroutine sleeps: the timer will run a function or fill a channel, or it was cancelled');
  return lines;
}
