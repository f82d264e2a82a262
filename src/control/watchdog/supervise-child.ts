import type { Watchdog } from '../../model/watchdog.js';
import { outputMeter } from '../../watchdog/output-meter.js';
import { type WatchedChild, type WatchOptions, watchWith } from './watch.js';

/** A child whose output counts as activity. */
export interface SupervisedChild extends WatchedChild {
  readonly stdout?: NodeJS.ReadableStream | null;
  readonly stderr?: NodeJS.ReadableStream | null;
}

/** Like `watch`, with output of the child as activity. The streams are observed, not read. */
export function supervise(child: SupervisedChild, options: WatchOptions = {}): Watchdog {
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null && stream !== undefined);
  return watchWith(child, options, outputMeter(streams));
}
