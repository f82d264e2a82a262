import { stackLines } from '../../model/facts/stack.js';
import { type Outcome, type RunReport, stopOf, stopReasons } from '../../model/run/run.js';
import type { Verdict, VerdictKind, WhyAnswer } from '../../model/verdict.js';
import { kindWords } from '../../model/verdict-words.js';
import { formatDuration } from '../../text/duration.js';
import { printable } from '../../text/printable.js';

/** Kinds whose name already states the fault. The others are waits and work, described in the sentence. */
const faults: ReadonlySet<VerdictKind> = new Set([
  'needs-input',
  'deadlock',
  'asleep',
  'stopped',
  'zombie',
  'frozen',
  'spinning',
  'lingering',
]);

const notStarted: Record<number, string> = {
  126: 'The command cannot be executed',
  127: 'The command was not found',
};

interface OutcomeWords {
  /** A few words for the headline. */
  status(report: RunReport): string;
  /** How the run ended, without the full stop. */
  end(report: RunReport): string;
  /** Whether the report explains what the command was doing at its end. */
  explained: boolean;
}

const words: Record<Outcome, OutcomeWords> = {
  exited: { status: exitStatus, end: exitSentence, explained: false },
  timeout: {
    status: ({ elapsedMs }) => `timed out after ${formatDuration(elapsedMs)}`,
    end: stoppedSentence,
    explained: true,
  },
  'idle-timeout': {
    status: ({ diagnosis }) =>
      diagnosis === null ? 'no output' : `no output for ${formatDuration(diagnosis.numbers.silentMs)}`,
    end: stoppedSentence,
    explained: true,
  },
  stalled: {
    status: () => 'stalled',
    end: stoppedSentence,
    explained: true,
  },
  stuck: {
    status: ({ diagnosis }) => (diagnosis === null ? 'stuck' : `stuck, ${diagnosis.confidence}`),
    end: stoppedSentence,
    explained: true,
  },
  interrupted: { status: () => 'interrupted', end: () => 'Stopped from outside', explained: true },
  'not-started': {
    status: () => 'not started',
    end: ({ exitCode, warnings: [first] }) =>
      [notStarted[exitCode] ?? 'The command could not be started', first].filter(Boolean).join(': '),
    explained: false,
  },
  lost: { status: () => 'lost', end: () => 'How it ended is not known', explained: false },
};

export function hasPassed({ outcome, exit }: RunReport): boolean {
  return outcome === 'exited' && exit.code === 0;
}

/** The verdict that a report explains: from the moment the run was stopped, else the last verdict before. */
export function verdictOf({ why, diagnosis, outcome }: RunReport): Verdict | null {
  return words[outcome].explained ? (why?.verdict ?? diagnosis?.verdict ?? null) : null;
}

function stoppedSentence({ outcome }: RunReport): string {
  const stop = stopOf(outcome);
  const reason = stop === undefined ? 'stopped' : stopReasons[stop];
  return reason.charAt(0).toUpperCase() + reason.slice(1);
}

function exitStatus({ exit: { code, signal } }: RunReport): string {
  if (signal !== null) return `ended by ${signal}`;
  if (code === null) return 'ended, exit code unknown';
  return code === 0 ? 'passed' : `exit code ${code}`;
}

function exitSentence({ exit: { code, signal, provenance }, elapsedMs }: RunReport): string {
  const after = `after ${formatDuration(elapsedMs)}${provenance === 'inferred' ? ' (inferred, not seen)' : ''}`;
  if (signal !== null) return `${signal} ended it ${after}`;
  if (code === null) return `Ended ${after}; its exit code was not recorded`;
  return code === 0 ? `Ended by itself ${after}` : `Ended by itself with exit code ${code} ${after}`;
}

/** `passed at attempt 2; attempt 1: exit code 1`. */
export function flakyWords({ attempts = [] }: RunReport): string {
  const failed = attempts.map(({ status }, index) => `attempt ${index + 1}: ${status}`);
  return `passed at attempt ${attempts.length + 1}; ${failed.join(', ')}`;
}

/** `npm test: needs input, certain`, without the label. */
export function statusOf(report: RunReport): string {
  if (report.flaky) return `flaky, passed at attempt ${(report.attempts?.length ?? 0) + 1}`;
  const last = endStatus(report);
  return report.attempts === undefined ? last : `${last}, after ${report.attempts.length + 1} attempts`;
}

function endStatus(report: RunReport): string {
  const own = words[report.outcome].status(report);
  const verdict = verdictOf(report);
  const fault = verdict !== null && faults.has(verdict.kind) ? kindWords[verdict.kind] : undefined;
  if (verdict === null || fault === undefined) return own;
  const found = `${fault}, ${verdict.certainty}`;
  return report.outcome === 'stuck' ? found : `${own} (${found})`;
}

/** Why the run was stopped; null: it ended by itself, or the reason is not known. */
export function causeOf(report: RunReport): string | null {
  if (!words[report.outcome].explained) return null;
  const { diagnosis } = report;
  const judged = diagnosis === null || diagnosis.health === 'healthy' ? null : diagnosis.reason;
  return verdictOf(report)?.reason ?? judged;
}

/** How it ended and why, in one sentence. */
export function sentenceOf(report: RunReport): string {
  const end = words[report.outcome].end(report);
  const cause = causeOf(report);
  return `${cause === null ? end : `${end}: ${cause}`}.`;
}

/** The exit of the command, and the exit code of `unstuck run`. */
export function exitCodeOf({ exit: { code, signal }, exitCode }: RunReport): string {
  const own = signal ?? (code === null ? 'unknown' : String(code));
  return own === String(exitCode) ? own : `${exitCode} (of the command: ${own})`;
}

export function healthOf({ diagnosis }: RunReport): string {
  return diagnosis === null ? 'not judged' : `${diagnosis.health}, ${diagnosis.confidence}`;
}

export function evidenceOf(report: RunReport): string[] {
  return (
    verdictOf(report)?.evidence ?? (words[report.outcome].explained ? report.diagnosis?.evidence : []) ?? []
  );
}

/** Where in its code the command was, the stuck part first. */
export function stackOf(report: RunReport): string[] {
  const verdict = verdictOf(report);
  const parts = verdict === null ? [] : (report.why?.findings ?? report.diagnosis?.findings ?? []);
  return stackLines(parts.find(({ stack }) => stack !== undefined)?.stack ?? verdict?.stack);
}

/** Advice for the next run. Steps that name a process or a terminal of this run no longer apply. */
export function adviceOf(report: RunReport): string[] {
  const pids = new Set(report.why?.processes.map(({ pid }) => String(pid)) ?? []);
  const isOver = (step: string) =>
    /\/dev\/(?:pts|tty)/.test(step) || (step.match(/\d+/g) ?? []).some((number) => pids.has(number));
  return (verdictOf(report)?.next ?? []).filter((step) => !isOver(step));
}

/** A line for each process in the chain of waits, down to its end. */
export function chainLines({ chain }: WhyAnswer): string[] {
  return chain.map(({ pid, command, waitsFor, outside }, depth) => {
    const lead = depth === 0 ? '' : `${'   '.repeat(Math.min(depth, 40) - 1)}└─ `;
    const where = outside ? ' [outside the tree]' : '';
    const end = depth === chain.length - 1 ? '   ◀ the end of the chain' : '';
    return `${lead}${command} (${pid})${where}${waitsFor === '' ? '' : ` waits for ${waitsFor}`}${end}`;
  });
}

/** What the command was doing when it was stopped, for a log: verdict, chain of waits, evidence, stack. Empty: not known. */
export function endExplanation(report: RunReport): string[] {
  const verdict = verdictOf(report);
  if (verdict === null || report.why === null) return [];
  const chain = report.why.chain.length < 2 ? [] : chainLines(report.why);
  return [
    `${verdict.reason} (${kindWords[verdict.kind]}, ${verdict.certainty})`,
    ...chain,
    ...evidenceOf(report),
    ...stackOf(report),
  ];
}

/** Replaces half surrogate pairs, which are not characters and which no file format can hold. */
export function wholeCharacters(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

/** Never cuts inside a character, and marks the cut. */
export function shorten(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  return `${wholeCharacters(text.slice(0, charactersMax)).replace(/\ufffd$/, '')}…`;
}

/** Lines for a person to read: tabs stay, every other control character is made visible. */
export function readableLines(lines: readonly string[]): string[] {
  return lines
    .flatMap((line) => line.split(/\r\n|\r|\n/))
    .map((line) => wholeCharacters(line).split('\t').map(printable).join('\t'));
}
