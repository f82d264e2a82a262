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
