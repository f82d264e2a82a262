import { knownValue } from '../model/facts/reading.js';
import { keepReport } from '../run/end.js';
import type { Journal } from '../run/journal.js';
import type { EndManner } from '../run/parts.js';
import type { RunDirectory } from '../store/run-directory.js';
import type { BackgroundLog } from './output/background-log.js';

/** The end of a run in the background. The daemon may wait as long as it takes, and another one may have been first. */
export function mannerOf(
  { directory, log, startedMs }: { directory: RunDirectory; log: BackgroundLog; startedMs: number },
  journal: Journal,
): EndManner {
  return {
    isHeld: () => true,
    takeLast() {
      log.tail.catchUp();
      log.keepToCap();
    },
    endFacts(exit) {
      const atMs = directory.endedMs(exit);
      const outputLost = knownValue(directory.outputLost, 'unlogged');
      const elapsedMs = Math.max(0, atMs - startedMs);
      return { atMs, elapsedMs, progress: log.clues.progress(), outputLost };
    },
    isPatient: true,
    passesOn: false,
    isReported: () => knownValue(directory.hasReport, 'whether there is a report'),
    keep: (report) => keepReport({ directory, journal }, report),
  };
}
