import type { EventEmitter } from 'node:events';
import type { WatchdogEvent } from '../model/watchdog.js';
import { isHeard, publish } from '../run/telemetry/channels.js';
import { findTelemetry } from '../run/telemetry/open-telemetry.js';

type Stamp = 'id' | 'pid' | 'label' | 'at';
/** The fields of an event beyond the common ones. */
type Own<Event> = Event extends WatchdogEvent ? Omit<Event, Stamp> : never;

export type EventFacts = Own<WatchdogEvent>;

/** A program may be active a thousand times a second. Activity events are limited to one per interval. */
const activityMsMin = 1000;

let lastId = 0;

/** Reports the events of a watchdog to all listeners. */
export class WatchdogReporter {
  readonly #id: number;
  readonly #events: EventEmitter;
  readonly #who: { pid: number | null; label: string | null };
  readonly #onEvent: ((event: WatchdogEvent) => void) | null;
  #activities = 0;
  #activityReportedMs = Number.NEGATIVE_INFINITY;

  constructor(
    events: EventEmitter,
    who: { pid: number | null; label: string | null },
    onEvent: ((event: WatchdogEvent) => void) | null,
  ) {
    lastId += 1;
    this.#id = lastId;
    this.#events = events;
    this.#who = who;
    this.#onEvent = onEvent;
  }

  report(facts: EventFacts): void {
    const event: WatchdogEvent = { ...facts, id: this.#id, ...this.#who, at: new Date().toISOString() };
    apart(() => this.#onEvent?.(event));
    apart(() => this.#events.emit(event.kind.slice('watchdog.'.length), event));
    publish(event);
    apart(() => findTelemetry()?.report(event));
  }

  /** Costs next to nothing without a listener. */
  reportActivity(nowMs: number): void {
    this.#activities += 1;
    if (nowMs < this.#activityReportedMs + activityMsMin) return;
    const isWanted = this.#onEvent !== null || this.#events.listenerCount('activity') > 0;
    if (!isWanted && !isHeard('watchdog.activity')) return;
    this.#activityReportedMs = nowMs;
    this.report({ kind: 'watchdog.activity', count: this.#activities });
    this.#activities = 0;
  }
}

/** A throwing listener raises an uncaught exception, but does not disturb the watchdog. */
function apart(listen: () => void): void {
  try {
    listen();
  } catch (error) {
    process.nextTick(() => {
      throw error;
    });
  }
}
