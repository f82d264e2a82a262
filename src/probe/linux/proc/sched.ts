/**
 * `se.exec_start` of /proc/PID/sched: when the thread was last accounted on a CPU, in milliseconds of the scheduler's
 * clock. That clock has no fixed relation to other clocks: compare it with the clock of the same CPU, read now
 * (sched-clock.ts).
 */
export function parseExecStartMs(text: string): number | null {
  const line = /se\.exec_start\s*:\s*([\d.]+)/.exec(text);
  return line?.[1] === undefined ? null : Number(line[1]);
}
