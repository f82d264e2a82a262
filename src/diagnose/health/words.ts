import type { HealthNumbers, SignOfLife } from '../../model/run/health.js';
import type { Verdict, VerdictKind } from '../../model/verdict.js';
import { formatDuration } from '../../text/duration.js';
import { formatBytes } from '../../text/format-bytes.js';
import { printableName } from '../../text/printable.js';
import { withTest } from '../stacks/with-places.js';
import { isKnownSilence, isLong, isSilent, type Situation, type TransitionName } from './transitions.js';
import type { Busy } from './window.js';

/** The facts that the sentences use. */
export interface Subject extends Situation {
  transition: TransitionName;
  numbers: HealthNumbers;
  verdict: Verdict | null;
}

export type Sentence = (subject: Subject) => string;

const signs: Record<SignOfLife, { comes: string; name: string }> = {
  output: { comes: 'it prints', name: 'output' },
  io: { comes: 'it reads or writes', name: 'read or write' },
};

const reasons: Record<TransitionName, Sentence> = {
  proven: (subject) => `${finding(subject)}; the same in ${subject.thresholds.proofSamples} samples in a row`,
  seen: (subject) => `${finding(subject)}; the same in ${subject.thresholds.proofSamples} samples in a row`,
  'only-stuck-parts': (subject) => `${stuckParts(subject)}, and the rest of it does nothing`,
  'stuck-part': stuckParts,
  'expected-output': (subject) =>
    `expected output every ${formatDuration(subject.norms.expected.outputEveryMs)}, but there was none for ${formatDuration(subject.silentMs)}${seenAs(subject)}`,
  'expected-end': (subject) =>
    `expected to be done in ${formatDuration(subject.norms.expected.doneInMs)}, but it still runs after ${formatDuration(subject.lastedMs)}${seenAs(subject)}`,
  'refused-long': finding,
  refused: finding,
  young: ({ samples, samplesNeeded }) => `too early to judge: ${samples} of ${samplesNeeded} samples`,
  'never-so-silent': (subject) => `${neverSoSilent(subject)}, idle${seenAs(subject)}`,
  'never-so-long': (subject) => `${neverSoLong(subject)}; ${silence(subject)}, idle${seenAs(subject)}`,
  'unusual-silence': neverSoSilent,
  'unusual-duration': neverSoLong,
  printing: ({ sign }) => signs[sign].comes,
  quiet: ({ sign, silentMs }) => `last ${signs[sign].name} ${roughly(silentMs)} ago`,
  resting: (subject) => `${roughSilence(subject)}: ${finding(subject)}`,
  active: (subject) =>
    withTest(
      `silent but active: ${roughSilence(subject)}, ${subject.busy.map((busy) => activity[busy](subject)).join(', ')}`,
      undefined,
      subject.verdict?.test,
    ),
  ticking: (subject) =>
    `${roughSilence(subject)}, and only a timer ticks since ${roughly(subject.ticking?.forMs ?? 0)}, nothing else moves: ${finding(subject)}`,
  waiting: (subject) => `${roughSilence(subject)}: ${finding(subject)}`,
  hidden: (subject) => `${roughSilence(subject)}: ${finding(subject)}`,
  unanswered: network,
  connected: network,
  stalled: stalledFor,
  stalling: stalledFor,
  idle: stalledFor,
  silent: (subject) => `${roughSilence(subject)}; ${idleness(subject)}${knownSilence(subject)}`,
};

const activity: Record<Busy, Sentence> = {
  cpu: ({ numbers }) => `${percent(numbers.cpuPercent)} CPU`,
  io: ({ numbers }) => `${formatBytes(numbers.ioBytes ?? 0)} read and written`,
  network: ({ numbers }) => `${formatBytes(numbers.networkBytes ?? 0)} over the network`,
  starved: ({ numbers }) => `ready to run but without a CPU for ${formatDuration(numbers.delayedMs)}`,
};

/** For a command whose own state is the proof: no snapshot provides a text for it. */
const halted: Partial<Record<VerdictKind, string>> = {
  zombie: 'the command has ended, but its parent has not collected it',
  stopped: 'the command is stopped',
};

export function reasonOf(subject: Subject): string {
  if (subject.needsAnswer) return finding(subject);
  const reason = reasons[subject.transition](subject);
  if (!silentRows.has(subject.transition)) return reason;
  if (isSilent(subject, 1)) return `${reason}; ${longestSilence(subject)}`;
  return isLong(subject, 1) ? `${reason}; ${neverSoLong(subject)}` : reason;
}

/** Rows about a silence that is long without a history, too. */
const silentRows: ReadonlySet<TransitionName> = new Set([
  ...(['active', 'waiting', 'hidden', 'unanswered', 'connected'] as const),
  ...(['stalled', 'stalling', 'idle', 'silent'] as const),
]);

export function evidenceOf(subject: Subject): string[] {
  if (subject.transition === 'stuck-part' || subject.transition === 'only-stuck-parts')
    return subject.parts.flatMap(({ evidence }) => evidence);
  const verdict = verdictOf(subject);
  if (verdict !== null) return verdict.evidence;
  const states = Object.entries(subject.numbers.states).map(([state, count]) => `${count} in state ${state}`);
  return subject.transition === 'proven' ? [`${finding(subject)}: ${states.join(', ')}`] : [];
}

/** An older verdict does not describe a proof of another kind. */
export function verdictOf({ transition, verdict, proof }: Subject): Verdict | null {
  return transition === 'proven' && verdict?.kind !== proof?.kind ? null : verdict;
}

function finding(subject: Subject): string {
  return verdictOf(subject)?.reason ?? halted[subject.proof?.kind ?? 'unknown'] ?? 'it cannot go on';
}

/** `a part of it is stuck: …`, and how many more parts are. */
function stuckParts({ parts, thresholds }: Subject): string {
  const [first, ...more] = parts;
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
  if (first?.inside !== undefined)
    return `some of its threads are stuck: ${first.reason}${others}; the same in ${thresholds.proofSamples} samples in a row`;
  const owner =
    first?.owner == null ? '' : `, which ${printableName(first.owner.name)}(${first.owner.pid}) started,`;
  return `a part of it${owner} is stuck: ${first?.reason ?? 'it cannot go on'}${others}; the same in ${thresholds.proofSamples} samples in a row`;
}

function silence({ sign, silentMs }: Subject): string {
  return `no ${signs[sign].name} for ${formatDuration(silentMs)}`;
}

function roughSilence({ sign, silentMs }: Subject): string {
  return `no ${signs[sign].name} for ${roughly(silentMs)}`;
}

const minuteMs = 60_000;

/** In full minutes, from one minute on. With seconds, each tick would be news about every silent run, for all who follow a list. */
function roughly(ms: number): string {
  return formatDuration(ms < minuteMs ? ms : ms - (ms % minuteMs));
}

function neverSoSilent(subject: Subject): string {
  return `${silence(subject)}, ${longestSilence(subject)}`;
}

function longestSilence({ norms: { usual } }: Subject): string {
  const { runs, longestMs } = usual?.silence ?? { runs: 0, longestMs: 0 };
  return `never silent for so long: the longest of ${runs} runs was ${formatDuration(longestMs)}`;
}

function knownSilence(subject: Subject): string {
  const { runs, longestMs } = subject.norms.usual?.silence ?? { runs: 0, longestMs: 0 };
  if (!isKnownSilence(subject)) return '';
  return `; the longest silence of ${runs} runs was ${formatDuration(longestMs)}`;
}

function neverSoLong({ lastedMs, norms: { usual } }: Subject): string {
  const { runs, longestMs, medianMs } = usual?.duration ?? { runs: 0, longestMs: 0, medianMs: 0 };
  return `running for ${formatDuration(lastedMs)}, never for so long: usually ${formatDuration(medianMs)}, the longest of ${runs} runs took ${formatDuration(longestMs)}`;
}

function idleness({ numbers, thresholds }: Subject): string {
  const io =
    numbers.ioBytes === null ? 'I/O not readable' : `${formatBytes(numbers.ioBytes)} read and written`;
  return `${percent(numbers.cpuPercent)} CPU and ${io} in ${formatDuration(thresholds.activityMs)}`;
}

function stalledFor(subject: Subject): string {
  return `${silence(subject)}, idle (${idleness(subject)})${seenAs(subject)}`;
}

/** What the last snapshot shows. */
function seenAs({ verdict }: Subject): string {
  return verdict === null ? '' : `: ${verdict.reason}`;
}

/** Connections by state, and the time without a byte; the text of the verdict names the peer. */
function network(subject: Subject): string {
  const { networkQuietMs, numbers } = subject;
  const connections = Object.entries(numbers.connections ?? {})
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${count} ${state}`)
    .join(', ');
  const quiet = networkQuietMs === 0 ? '' : `no byte for ${formatDuration(networkQuietMs)}`;
  const details = [connections, quiet].filter(Boolean).join('; ');
  return `${silence(subject)}: ${finding(subject)}${details && ` (${details})`}`;
}

function percent(value: number): string {
  return `${value < 10 ? Math.round(value * 10) / 10 : Math.round(value)} %`;
}
