import type { OrphanEvent, OrphanEventKind } from '../model/orphan.js';
import { printable } from '../text/printable.js';

const labels: Record<OrphanEventKind, string> = {
  detected: 'DETECTED',
  killed: 'KILLED',
  skipped: 'SKIPPED',
  failed: 'FAILED',
};

/** Bounds a log line: a process can set its own command line. */
const textCharsMax = 500;

/** One event as one line. `because` (why it was skipped or failed) replaces the reason. */
export function eventLine({ kind, at, orphan, because }: OrphanEvent): string {
  const { pid, command, ageMs, classification, reason } = orphan;
  return [
    `[${at}] ${labels[kind]} pid=${pid}`,
    `cmd=${quote(command)}`,
    `age=${formatAge(ageMs)}`,
    `status=${classification}`,
    `reason=${quote(because ?? reason)}`,
  ].join(' ');
}

/** Backslashes are doubled first, so an escaped control character differs from text that looks like one. */
function quote(text: string): string {
  const cut = text.length > textCharsMax ? `${text.slice(0, textCharsMax - 1)}…` : text;
  return `"${printable(cut.replace(/[\\"]/g, '\\$&'))}"`;
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
] as const;

/** One word, so a program can split the line at its spaces: `42s`, `5min`, `3h`, `2d`. */
function formatAge(ms: number): string {
  const [unit, unitMs] = units.find(([, length]) => ms >= length) ?? (['s', 1000] as const);
  return `${Math.floor(Math.max(0, ms) / unitMs)}${unit}`;
}
