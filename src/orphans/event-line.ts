import type { OrphanEvent, OrphanEventKind } from '../model/orphan.js';
import { printable } from '../model/printable.js';

const words: Record<OrphanEventKind, string> = {
  detected: 'DETECTED',
  killed: 'KILLED',
  skipped: 'SKIPPED',
  failed: 'FAILED',
};

/** Whatever a process calls itself, a line of the log has an end. */
const textCharsMax = 500;

/** F6: one event as one line, whatever stands in a command; the reason is why it was skipped or has failed, if it has. */
export function eventLine({ kind, at, orphan, because }: OrphanEvent): string {
  const { pid, command, ageMs, classification, reason } = orphan;
  return [
    `[${at}] ${words[kind]} pid=${pid}`,
    `cmd=${quote(command)}`,
    `age=${ageWord(ageMs)}`,
    `status=${classification}`,
    `reason=${quote(because ?? reason)}`,
  ].join(' ');
}

/** A backslash is doubled first: so it stays clear what was a control character, and what only looks like one. */
function quote(text: string): string {
  const cut = text.length > textCharsMax ? `${text.slice(0, textCharsMax - 1)}…` : text;
  return `"${printable(cut.replace(/[\\"]/g, '\\$&'))}"`;
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
] as const;

/** One word, so that a program can take the line apart at its spaces: `42s`, `5min`, `3h`, `2d`. */
function ageWord(ms: number): string {
  const [unit, unitMs] = units.find(([, length]) => ms >= length) ?? (['s', 1000] as const);
  return `${Math.floor(Math.max(0, ms) / unitMs)}${unit}`;
}
