import { signal } from '@preact/signals';
import { call } from './api.js';
import { runs } from './state.js';

export interface Spark {
  cpu: number[];
  memory: number[];
}

const points = 60;
/** Rows come into view in groups while one scrolls. */
const gatherMs = 80;

/** The last samples of runs that were in view. */
export const sparks = signal<ReadonlyMap<string, Spark>>(new Map());
const known = new Set<string>();
let wanted = new Set<string>();
let isWaiting = false;

export function wantSpark(id: string): void {
  if (known.has(id)) return;
  known.add(id);
  wanted.add(id);
  if (!isWaiting) setTimeout(load, gatherMs);
  isWaiting = true;
}

async function load(): Promise<void> {
  const ids = [...wanted];
  wanted = new Set();
  isWaiting = false;
  try {
    const answer = await call('samples', { ids: ids.slice(0, 200), last: points });
    const next = new Map(sparks.value);
    for (const { id, cpuPercent, residentBytes } of answer.runs)
      next.set(id, { cpu: cpuPercent, memory: residentBytes });
    sparks.value = next;
  } catch {
    for (const id of ids) known.delete(id);
  }
}

/** News of a run are its newest point. */
let before = runs.value;
runs.subscribe((list) => {
  const news = [...(list?.values() ?? [])].filter(
    (run) => before?.get(run.id) !== run && sparks.value.has(run.id),
  );
  before = list;
  if (news.length === 0) return;
  const next = new Map(sparks.value);
  for (const { id, status, cpuPercent, residentBytes } of news) {
    const spark = next.get(id);
    // A process uses memory: 0 means that the run was not sampled yet, as after a restart of the daemon.
    if (spark === undefined || status !== 'running' || residentBytes === 0) continue;
    next.set(id, {
      cpu: [...spark.cpu, cpuPercent].slice(-points),
      memory: [...spark.memory, residentBytes].slice(-points),
    });
  }
  sparks.value = next;
});
