/** The numbers of a run over a stretch of time that ends at `atMs`. */
export interface SamplePoint {
  /** By the wall clock. */
  atMs: number;
  /** How long the stretch is; what lies before it may not have been sampled. */
  forMs: number;
  /** Mean; 100 is one core. */
  cpuPercent: number;
  /** Most. */
  residentBytes: number;
  /** Read and written; null: not readable. */
  ioBytes: number | null;
  /** All output so far. */
  outputBytes: number;
}

/** Points in columns, as plots take them; all have the same length. */
export type SampleColumns = { [Name in keyof SamplePoint]: SamplePoint[Name][] };

export function columnsOf(points: readonly SamplePoint[]): SampleColumns {
  return {
    atMs: points.map(({ atMs }) => atMs),
    forMs: points.map(({ forMs }) => forMs),
    cpuPercent: points.map(({ cpuPercent }) => cpuPercent),
    residentBytes: points.map(({ residentBytes }) => residentBytes),
    ioBytes: points.map(({ ioBytes }) => ioBytes),
    outputBytes: points.map(({ outputBytes }) => outputBytes),
  };
}

/** The newest points stay as they are: an hour of samples 5 s apart. */
export const finePoints = 720;
/** Most points of a run, whatever its age. */
export const pointsMax = 3 * finePoints;

/** Keeps the newest points and merges older ones in pairs, so that the resolution falls with age. */
export function thinPoints(points: readonly SamplePoint[]): SamplePoint[] {
  if (points.length <= pointsMax) return [...points];
  const old = points.slice(0, -finePoints);
  const merged: SamplePoint[] = [];
  for (let at = 0; at < old.length; at += 2) {
    const [first, second] = [old[at] as SamplePoint, old[at + 1]];
    merged.push(second === undefined ? first : mergePoints(first, second));
  }
  return thinPoints([...merged, ...points.slice(-finePoints)]);
}

function mergePoints(first: SamplePoint, second: SamplePoint): SamplePoint {
  const forMs = first.forMs + second.forMs;
  const cpuMs = first.cpuPercent * first.forMs + second.cpuPercent * second.forMs;
  const isIoKnown = first.ioBytes !== null || second.ioBytes !== null;
  return {
    atMs: second.atMs,
    forMs,
    cpuPercent: forMs === 0 ? second.cpuPercent : Math.round((cpuMs / forMs) * 10) / 10,
    residentBytes: Math.max(first.residentBytes, second.residentBytes),
    ioBytes: isIoKnown ? (first.ioBytes ?? 0) + (second.ioBytes ?? 0) : null,
    outputBytes: second.outputBytes,
  };
}
