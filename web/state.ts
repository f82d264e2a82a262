import { computed, signal } from '@preact/signals';
import type { ListedRun } from '../src/model/operations/outputs.js';
import type { WebEvents, WebHello } from '../src/model/web.js';

/** Everything the page knows, as signals. */
export const hello = signal<WebHello | null>(null);
/** By id. A new map at each change: whatever shows it is drawn again. */
export const runs = signal<ReadonlyMap<string, ListedRun> | null>(null);
export const lastNotice = signal(0);
export const daemonTrouble = signal<string | null>(null);

/** What the page can say about its own news. */
export type Link =
  | { kind: 'connecting' }
  | { kind: 'live' }
  /** The server of the page does not answer. */
  | { kind: 'lost'; sinceMs: number }
  /** The daemon does not answer. */
  | { kind: 'away'; sinceMs: number; reason: string };
export const link = signal<Link>({ kind: 'connecting' });
/** The last time that news were missing; shown until it is dismissed. */
export const gap = signal<{ fromMs: number; forMs: number } | null>(null);

/** Clock of the server minus clock of the browser. */
export const skewMs = signal(0);
export const nowMs = signal(Date.now());
setInterval(() => {
  nowMs.value = Date.now() + skewMs.value;
}, 1000);

export const isReadOnly = computed(() => hello.value?.readOnly === true);

/** Listens to the server for as long as the page is open. The browser connects again by itself. */
export function follow(): void {
  const stream = new EventSource('/api/events');
  const on = <Name extends keyof WebEvents>(name: Name, take: (data: WebEvents[Name]) => void) =>
    stream.addEventListener(name, (event) => take(JSON.parse((event as MessageEvent<string>).data)));
  on('hello', (data) => {
    hello.value = data;
    skewMs.value = data.nowMs - Date.now();
    nowMs.value = data.nowMs;
  });
  on('runs', (news) => {
    const next = new Map(news.whole ? [] : runs.value);
    for (const run of news.runs) next.set(run.id, run);
    for (const id of news.removed) next.delete(id);
    runs.value = next;
    lastNotice.value = news.lastNotice;
    daemonTrouble.value = news.trouble;
    back();
  });
  on('away', ({ sinceMs, reason }) => {
    link.value = { kind: 'away', sinceMs, reason };
  });
  on('back', ({ awayMs }) => back(awayMs));
  stream.addEventListener('error', () => {
    if (link.value.kind !== 'lost') link.value = { kind: 'lost', sinceMs: nowMs.value };
    // After an answer that is no stream, such as 401, the browser does not try again.
    if (stream.readyState === EventSource.CLOSED) setTimeout(follow, 2000);
  });
}

function back(awayMs?: number): void {
  const before = link.value;
  link.value = { kind: 'live' };
  if (before.kind !== 'away' && before.kind !== 'lost') return;
  gap.value = {
    fromMs: before.sinceMs,
    forMs: awayMs ?? Math.max(0, Date.now() + skewMs.value - before.sinceMs),
  };
}
