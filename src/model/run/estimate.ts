import { formatDuration } from '../../text/duration.js';

/** How far a run has come, and when it may end. */
export interface Estimate {
  /** How long the command usually takes; null: not known. */
  usualMs: number | null;
  /** 0 to 1; null: not known, or it takes longer than any run before. */
  fraction: number | null;
  leftMs: number | null;
  /** Half of such estimates of earlier runs were off by no more than this; null: not known. */
  errorMs: number | null;
  /** What `leftMs` is made from; null: there is none. */
  from: 'progress' | 'history' | null;
}

/** `usually 4 min, 63 % done, 1 min 30 s left (±20 s)`. */
export function estimateWords({ usualMs, fraction, leftMs, errorMs }: Estimate): string {
  const parts = [
    usualMs === null ? '' : `usually ${formatDuration(usualMs)}`,
    fraction === null ? '' : `${Math.floor(fraction * 100)} % done`,
    leftMs === null ? '' : `${formatDuration(rounded(leftMs))} left${error(errorMs)}`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function error(errorMs: number | null): string {
  return errorMs === null ? '' : ` (±${formatDuration(rounded(errorMs))})`;
}

/** An estimate is at best exact to a second. */
function rounded(ms: number): number {
  return Math.max(1000, Math.round(ms / 1000) * 1000);
}
