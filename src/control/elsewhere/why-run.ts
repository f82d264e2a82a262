import type { WhyResult } from '../../model/verdict.js';
import { type WhyOptions, whyWithSnapshot } from '../why.js';

/** Where the process of a run is: its pid means another process in every other place. */
export interface RunLocation {
  pid: number;
  /** null or absent: this machine. */
  on?: string | null | undefined;
}

/** What the process of a run waits for, wherever it runs. */
export async function whyRun({ pid, on }: RunLocation, options: WhyOptions = {}): Promise<WhyResult> {
  if (on === undefined || on === null) return whyWithSnapshot(pid, options);
  const { whyOn } = await import('./why-on.js');
  return whyOn(on, pid, options);
}
