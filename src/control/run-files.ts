import path from 'node:path';
import { RunDirectory } from '../store/run-directory.js';
import { listRuns } from '../store/run-ids.js';
import { stateHome } from '../store/state-home.js';

export { firstByteSince, isWrittenBefore, readLogTimes } from '../store/log/log-times.js';
export { readTrimmed } from '../store/log/trimmed.js';

export interface KnownRun {
  id: string;
  label: string;
  hasEnded: boolean;
}

/** Limit for shell completion. */
const runsMax = 200;

/** Background runs on disk, for callers that must not wait for a daemon or start one. */
export function knownRuns(env: NodeJS.ProcessEnv = process.env): KnownRun[] {
  const runs = path.join(stateHome(env), 'runs');
  const ids = listRuns(runs);
  if (ids.kind === 'unknown') return [];
  return ids.value.slice(0, runsMax).flatMap((id) => {
    const directory = new RunDirectory(runs, id);
    const [record, exit] = [directory.readRecord(), directory.readExit()];
    if (record.kind === 'unknown') return [];
    const { label, background } = (record.value ?? {}) as { label?: unknown; background?: unknown };
    if (typeof label !== 'string' || !background) return [];
    return [{ id, label, hasEnded: exit.kind === 'known' && exit.value !== null }];
  });
}
