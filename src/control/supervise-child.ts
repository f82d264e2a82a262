import type { Watchdog } from '../model/watchdog.js';
import { outputMeter } from '../supervise/watchdog/output-meter.js';
import { type WatchedChild, type WatchOptions, watchWith } from './watch.js';

/** A child whose output tells that it is alive. */
export interface SupervisedChild extends WatchedChild {
  readonly stdout?: NodeJS.ReadableStream | null;
  readonly stderr?: NodeJS.ReadableStream | null;
}

/** Like `watch`, and whatever the child prints is activity. Its streams stay as they are: nothing is read from them. */
export function supervise(child: SupervisedChild, options: WatchOptions = {}): Watchdog {
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null && stream !== undefined);
  return watchWith(child, options, outputMeter(streams));
}
