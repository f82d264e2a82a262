import { monitor, monitorOn } from '../../../control/watchdog/monitor.js';
import { checkPid } from '../../../control/why.js';
import { Failure } from '../../../model/failure.js';
import type { MonitorEvent, ProcessMonitor } from '../../../model/monitor.js';
import { jsonText } from '../../../text/json-text.js';
import { version } from '../../output/json-document.js';
import { endWithReader } from '../../shared/end-with-reader.js';
import { fail } from '../../shared/fail.js';
import { onInterrupt } from '../../shared/on-interrupt.js';
import { renderMonitorEvent } from './render.js';

/** `unstuck watch`. */
export async function runWatch(
  words: string[],
  { json, on, ...flags }: { json: boolean; on: string | undefined },
): Promise<void> {
  endWithReader();
  const stop = new AbortController();
  try {
    const pids = [...new Set(words.map(pidOf))];
    const release = onInterrupt(() => stop.abort());
    const monitors = await Promise.all(pids.map((pid) => watchOne({ pid, json, on, flags, stop })));
    await Promise.all(monitors.map(({ done }) => done));
    release();
  } catch (error) {
    stop.abort();
    fail(error, json);
  }
}

interface Watched {
  pid: number;
  json: boolean;
  on: string | undefined;
  flags: object;
  stop: AbortController;
}

function watchOne({
  pid,
  json,
  on,
  flags,
  stop: { signal },
}: Watched): ProcessMonitor | Promise<ProcessMonitor> {
  let name = String(pid);
  const print = (event: MonitorEvent) => {
    if (event.kind === 'started') name = `${event.label}(${pid})`;
    const lines = json
      ? [
          jsonText({
            ...(event.kind === 'started' && { version }),
            ...(on !== undefined && { on }),
            pid,
            ...event,
          }),
        ]
      : renderMonitorEvent(event, name);
    for (const line of lines) process.stdout.write(`${line}\n`);
  };
  const options = { ...flags, onEvent: print, signal };
  return on === undefined ? monitor(pid, options) : monitorOn(on, pid, options);
}

function pidOf(word: string): number {
  try {
    return checkPid(word);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(error.code, error.message, `${error.hint}; a background run: unstuck wait ${word}`);
  }
}
