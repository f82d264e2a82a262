import { type Channel, channel } from 'node:diagnostics_channel';
import { type WatchdogEvent, type WatchdogEventKind, watchdogEventKinds } from '../../model/watchdog.js';

/** `watchdog.timeout` is published on the channel `unstuck:watchdog:timeout`. */
export function channelName(kind: WatchdogEventKind): string {
  return `unstuck:${kind.replace('.', ':')}`;
}

const channels = new Map<WatchdogEventKind, Channel>(
  watchdogEventKinds.map((kind) => [kind, channel(channelName(kind))]),
);

export function isHeard(kind: WatchdogEventKind): boolean {
  return channels.get(kind)?.hasSubscribers === true;
}

/** Node reports an exception of a subscriber as an uncaught exception. Publishing goes on. */
export function publish(event: WatchdogEvent): void {
  channels.get(event.kind)?.publish(event);
}
