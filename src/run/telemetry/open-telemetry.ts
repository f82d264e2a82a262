import { createRequire } from 'node:module';
import type { Counter, Histogram, Meter, Span, UpDownCounter } from '@opentelemetry/api';
import { ownUrl } from '../../model/own-url.js';
import type { WatchdogEvent } from '../../model/watchdog.js';

type Api = typeof import('@opentelemetry/api');

/** Spans and metrics of watchdogs. */
export interface Telemetry {
  report(event: WatchdogEvent): void;
}

/** Metrics have no late binding: a provider that is set later has another meter and needs new instruments. */
class Instruments {
  readonly meter: Meter;
  readonly active: UpDownCounter;
  readonly timeouts: Counter;
  readonly kills: Counter;
  readonly watched: Histogram;

  constructor(meter: Meter) {
    this.meter = meter;
    this.active = meter.createUpDownCounter('unstuck.watchdog.active', { description: 'Watchdogs on duty' });
    this.timeouts = meter.createCounter('unstuck.watchdog.timeouts', {
      description: 'How often something was silent for too long',
    });
    this.kills = meter.createCounter('unstuck.watchdog.kills', {
      description: 'How often something was ended for it, by signal',
    });
    this.watched = meter.createHistogram('unstuck.watchdog.watched', {
      description: 'How long something was watched, by outcome',
      unit: 's',
    });
  }
}

/** A span per watchdog, from its start to its end. */
export function telemetryOf({ trace, metrics, SpanStatusCode }: Api): Telemetry {
  const spans = new Map<number, Span>();
  let found: Instruments | null = null;
  const instruments = (): Instruments => {
    const meter = metrics.getMeter('unstuck');
    if (found?.meter !== meter) found = new Instruments(meter);
    return found;
  };
  return {
    report(event) {
      const span = spans.get(event.id);
      switch (event.kind) {
        case 'watchdog.started': {
          const attributes = {
            ...(event.pid !== null && { 'process.pid': event.pid }),
            ...(event.label !== null && { 'unstuck.label': event.label }),
            ...(event.idleTimeoutMs !== null && { 'unstuck.idle_timeout_ms': event.idleTimeoutMs }),
          };
          spans.set(event.id, trace.getTracer('unstuck').startSpan('unstuck.watchdog', { attributes }));
          return instruments().active.add(1);
        }
        case 'watchdog.held':
        case 'watchdog.timeout': {
          const { idleMs, verdict } = event;
          span?.addEvent(event.kind, {
            'unstuck.idle_ms': Math.round(idleMs),
            ...(event.kind === 'watchdog.timeout' && { 'unstuck.because': event.because }),
            ...(verdict !== null && { 'unstuck.verdict': verdict.kind, 'unstuck.reason': verdict.reason }),
          });
          if (event.kind === 'watchdog.timeout') instruments().timeouts.add(1);
          return;
        }
        case 'watchdog.killed':
          span?.addEvent(event.kind, { 'unstuck.signal': event.signal ?? 'none' });
          return instruments().kills.add(1, { 'unstuck.signal': event.signal ?? 'none' });
        case 'watchdog.ended':
          span?.setAttribute('unstuck.outcome', event.outcome);
          if (event.outcome === 'timed-out') span?.setStatus({ code: SpanStatusCode.ERROR });
          span?.end();
          spans.delete(event.id);
          instruments().active.add(-1);
          return instruments().watched.record(event.watchedMs / 1000, { 'unstuck.outcome': event.outcome });
        case 'watchdog.activity':
          return;
      }
    },
  };
}

let loaded: Telemetry | null | undefined;

/** null: the host program has no OpenTelemetry. Searched once, when the first watchdog starts. */
export function findTelemetry(): Telemetry | null {
  if (loaded === undefined) loaded = load();
  return loaded;
}

function load(): Telemetry | null {
  try {
    // The name is a variable, so that bundlers leave it alone. The package is the host program's, or absent.
    const name = '@opentelemetry/api';
    return telemetryOf(createRequire(ownUrl)(name) as Api);
  } catch {
    return null;
  }
}
