import { setTimeout as delay } from 'node:timers/promises';
import type { RunMonitor } from '../monitor/run-monitor.js';
import type { BackgroundLog } from '../output/background-log.js';
import type { Ended } from './end-monitor.js';
import { RunEnd } from './run-end.js';
import { type EndedRun, stopUnwanted } from './stop-leftovers.js';

export interface ReadEndOptions {
  run: EndedRun & { log: BackgroundLog };
  standing: Ended;
  /** This daemon has detached from the run. */
  isClosed(): boolean;
  watch: Pick<RunMonitor, 'unreadable'>;
}

const againMs = 1000;

/**
 * The facts about an ended run. What cannot be read now is tried again. null: this daemon has detached from the run.
 */
export async function readEnd({ run, standing, isClosed, watch }: ReadEndOptions): Promise<RunEnd | null> {
  while (!isClosed()) {
    try {
      await stopUnwanted(run, standing);
      run.log.tail.catchUp();
      run.log.keepToCap();
      return new RunEnd(standing, run.directory, run.log);
    } catch (error) {
      watch.unreadable = (error as Error).message;
      await delay(againMs, undefined, { ref: false });
    }
  }
  return null;
}
