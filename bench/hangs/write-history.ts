// Five earlier runs of the command of a case, in which nothing hung.
import type { PastRun } from '../../src/model/run/past-run.js';
import { HistoryFiles } from '../../src/store/history/history-files.js';
import { historyKey } from '../../src/store/history/history-key.js';
import type { HangCase } from './hang-case.js';
import type { Scale } from './scale.js';
import type { Stage } from './stage.js';

/** The key of the history; the home of the case has no other. */
export const historyName = 'hang-case';

const runs = 5;
const minuteMs = 60_000;

/** How long the slowest of the runs took, and how long it was silent, in minutes. */
function lengthOf(c: HangCase, scale: Scale): { durationMin: number; silenceMin: number } {
  // A command that hangs today took two minutes, and was silent for half a minute at most.
  if (c.label === 'stuck') return { durationMin: 2, silenceMin: 0.5 };
  // A command that is only slow today took a third of the time in its earlier runs.
  const watchedMin = (scale.watchMs * scale.factor) / minuteMs;
  return { durationMin: watchedMin / 3, silenceMin: watchedMin / 3 };
}

/** A service never ends by itself: its earlier runs were interrupted. */
function endOf(c: HangCase): Pick<PastRun, 'outcome' | 'exit'> {
  const isService = c.label === 'healthy' && c.kinds[0] === 'service';
  if (isService) {
    return { outcome: 'interrupted', exit: { code: 130, signal: 'SIGINT', provenance: 'recorded' } };
  }
  return { outcome: 'exited', exit: { code: 0, signal: null, provenance: 'recorded' } };
}

export function writeHistory(c: HangCase, scale: Scale, { env }: Stage): void {
  const key = historyKey('', '/', historyName);
  const files = new HistoryFiles(env.UNSTUCK_HOME ?? '', key.id);
  const { durationMin, silenceMin } = lengthOf(c, scale);
  for (let number = 0; number < runs; number++) {
    // Some runs are a little quicker.
    const share = (minuteMs / scale.factor) * (1 - number / 20);
    files.append(
      {
        id: `run_${String(number).padStart(12, '0')}`,
        startedAt: new Date(Date.now() - (runs - number) * 3_600_000).toISOString(),
        durationMs: durationMin * share,
        longestSilenceMs: silenceMin * share,
        lines: 10,
        ...endOf(c),
        cpuPercent: 0,
        residentBytes: 0,
        phases: [],
        etaError: null,
      },
      key,
    );
  }
}
