import { monitor } from '../../../control/watchdog/monitor.js';
import { checkPid } from '../../../control/why.js';
import { Failure } from '../../../model/failure.js';
import type { MonitorEvent } from '../../../model/monitor.js';
import { jsonText } from '../../../text/json-text.js';
import { endWithReader } from '../../shared/end-with-reader.js';
import { fail } from '../../shared/fail.js';
import { onInterrupt } from '../../shared/on-interrupt.js';
import { renderMonitorEvent } from './render.js';

/** `unstuck watch`. */
export async function runWatch(words: string[], { json, ...flags }: { json: boolean }): Promise<void> {
  endWithReader();
  const stop = new AbortController();
  try {
    const pids = [...new Set(words.map(pidOf))];
    const release = onInterrupt(() => stop.abort());
    const monitors = pids.map((pid) => watchOne(pid, json, flags, stop));
    await Promise.all(monitors.map(({ done }) => done));
    release();
  } catch (error) {
    stop.abort();
    fail(error, json);
  }
}

function watchOne(pid: number, json: boolean, flags: object, { signal }: AbortController) {
  let name = String(pid);
  const print = (event: MonitorEvent) => {
    if (event.kind === 'started') name = `${event.label}(${pid})`;
    const lines = json ? [jsonText({ pid, ...event })] : renderMonitorEvent(event, name);
    for (const line of lines) process.stdout.write(`${line}\n`);
  };
  return monitor(pid, { ...flags, onEvent: print, signal });
}

function pidOf(word: string): number {
  try {
    return checkPid(word);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(error.code, error.message, `${error.hint}; a background run: unstuck wait ${word}`);
  }
}
