export interface Schedstat {
  ranNs: number;
  delayedNs: number;
  /** Times scheduled in. Unchanged between two reads = the thread did not run in between. */
  counter: number;
}

/** `ran-ns delayed-ns times-scheduled-in`; a kernel built without it prints `0 0 0`. */
export function parseSchedstat(text: string): Schedstat | null {
  const fields = text.trim().split(' ').map(Number);
  const [ranNs, delayedNs, counter] = fields;
  if (ranNs === undefined || delayedNs === undefined || counter === undefined) return null;
  if (fields.some(Number.isNaN)) return null;
  return { ranNs, delayedNs, counter };
}

/**
 * `se.exec_start` of /proc/PID/sched: when the thread was last accounted on a CPU, in milliseconds of the scheduler's
 * clock. That clock has no fixed relation to other clocks: compare it with the clock of the same CPU, read now
 * (sched-clock.ts).
 */
export function parseExecStartMs(bytes: Buffer): number | null {
  const at = bytes.indexOf('se.exec_start');
  const end = at < 0 ? -1 : bytes.indexOf('\n', at);
  if (end < 0) return null;
  const value = /:\s*([\d.]+)$/.exec(bytes.toString('latin1', at, end))?.[1];
  return value === undefined ? null : Number(value);
}
