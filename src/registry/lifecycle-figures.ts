import { type Outcome, outcomes, type RunEvent } from '../model/run/run.js';

/** Upper bounds of the duration of runs, in seconds. */
export const durationBoundsS = [1, 5, 15, 60, 300, 900, 3600, 14_400] as const;

/** What has happened to runs since the start of this daemon. */
export class LifecycleFigures {
  started = 0;
  /** Runs that asked a question, became stuck, or had a stuck part stopped; each event counts. */
  needsInput = 0;
  stuck = 0;
  partsStopped = 0;
  /** Stops that were carried out: requested, by a limit, or because of a hang. */
  killed = 0;
  readonly ended = Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Record<Outcome, number>;
  /** Ended runs by the first bound that is not exceeded; the last entry: longer than all. */
  readonly durations = [...durationBoundsS, null].map(() => 0);
  durationsSumS = 0;

  note(event: RunEvent): void {
    if (event.kind === 'needs-input') this.needsInput += 1;
    else if (event.kind === 'part-stopped') this.partsStopped += 1;
    else if (event.kind === 'killed') this.killed += 1;
    else if (event.kind === 'health' && event.diagnosis.severity === 'error') this.stuck += 1;
    else if (event.kind === 'exited') this.#noteEnd(event.outcome, event.elapsedMs / 1000);
  }

  #noteEnd(outcome: Outcome, seconds: number): void {
    this.ended[outcome] += 1;
    const place = durationBoundsS.findIndex((bound) => seconds <= bound);
    const at = place === -1 ? durationBoundsS.length : place;
    this.durations[at] = (this.durations[at] ?? 0) + 1;
    this.durationsSumS += seconds;
  }
}
