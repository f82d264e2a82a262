import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { metrics, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import pino from 'pino';
import { afterEach, expect, it, vi } from 'vitest';
import { logTo, watch } from '../../src/control/watchdog/watch.js';
import { type WatchdogEvent, watchdogEventKinds } from '../../src/model/watchdog.js';
import { channelName } from '../../src/run/telemetry/channels.js';
import { patienceMs } from '../support/patience.js';
import { runAs } from '../support/run-as.js';
import { startReady } from './start-child.js';

const quick = { pollIntervalMs: 20, idleTimeoutMs: 100, graceMs: patienceMs, label: 'worker' };
const story = [
  'watchdog.started',
  'watchdog.activity',
  'watchdog.timeout',
  'watchdog.killed',
  'watchdog.ended',
];

/** A watchdog that hears of its process once, and then has to end it. */
async function timeOut(onEvent?: (event: WatchdogEvent) => void): Promise<number> {
  const { child } = await startReady('echo begin; exec cat');
  const watchdog = watch(child, { ...quick, ...(onEvent && { onEvent }) });
  watchdog.activity();
  watchdog.activity();
  await watchdog.done.catch(() => {});
  return child.pid;
}

afterEach(() => {
  trace.disable();
  metrics.disable();
});

it('each step is published on its own channel, and passed to the caller, in order', async () => {
  const heard: WatchdogEvent[] = [];
  const told: WatchdogEvent[] = [];
  const listen = (message: unknown) => heard.push(message as WatchdogEvent);
  for (const kind of watchdogEventKinds) subscribe(channelName(kind), listen);
  const pid = await timeOut((event) => told.push(event));
  for (const kind of watchdogEventKinds) unsubscribe(channelName(kind), listen);
  expect(channelName('watchdog.timeout')).toBe('unstuck:watchdog:timeout');
  expect(heard).toEqual(told);
  expect(told.map(({ kind }) => kind)).toEqual(story);
  for (const event of told) expect(event).toMatchObject({ pid, label: 'worker', id: told[0]?.id });
  expect(told[2]).toMatchObject({ idleMs: expect.any(Number), verdict: null });
  expect(told[3]).toMatchObject({ signal: 'SIGTERM', survivors: [] });
});

it('a listener that throws still gets every event, and its errors are uncaught exceptions', async () => {
  const thrown = new Error('a bug of the listener');
  const caught: unknown[] = [];
  // The runner of the tests would take it for a fault of ours.
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', (error) => caught.push(error));
  try {
    await timeOut(() => {
      throw thrown;
    });
    await vi.waitFor(() => expect(caught).toHaveLength(story.length), { timeout: patienceMs });
  } finally {
    process.removeAllListeners('uncaughtException');
    for (const other of others) process.on('uncaughtException', other);
  }
  expect(new Set(caught)).toEqual(new Set([thrown]));
});

it('logTo writes to pino until it is ended, activity at the level debug and not at info', async () => {
  const read = async (level: string) => {
    const lines: string[] = [];
    const end = logTo(pino({ level }, { write: (line: string) => lines.push(line) }));
    await timeOut();
    end();
    const before = lines.length;
    await timeOut();
    expect(lines).toHaveLength(before);
    return lines.map((line) => JSON.parse(line));
  };
  const [debug, info] = [await read('debug'), await read('info')];
  expect(debug.map(({ event }) => event)).toEqual(story);
  expect(info.map(({ event }) => event)).toEqual(story.filter((kind) => kind !== 'watchdog.activity'));
  expect(debug.map(({ level }) => level)).toEqual([30, 20, 40, 40, 30]);
  expect(debug[3]).toMatchObject({ label: 'worker', signal: 'SIGTERM' });
  expect(debug[3].msg).toMatch(/^worker \(process \d+\): it was ended with SIGTERM$/);
});

it('OpenTelemetry gets a span and numbers of each watchdog', async () => {
  const spans = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }),
  );
  const numbers = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: numbers });
  const provider = new MeterProvider({ readers: [reader] });
  metrics.setGlobalMeterProvider(provider);
  const pid = await timeOut();
  await provider.forceFlush();
  await provider.shutdown();
  const [span] = spans.getFinishedSpans();
  expect(span).toMatchObject({
    name: 'unstuck.watchdog',
    status: { code: SpanStatusCode.ERROR },
    attributes: { 'process.pid': pid, 'unstuck.label': 'worker', 'unstuck.outcome': 'timed-out' },
    events: [
      { name: 'watchdog.timeout' },
      { name: 'watchdog.killed', attributes: { 'unstuck.signal': 'SIGTERM' } },
    ],
  });
  const found =
    numbers
      .getMetrics()
      .at(-1)
      ?.scopeMetrics.flatMap((scope) => scope.metrics) ?? [];
  const values = Object.fromEntries(
    found.map(({ descriptor, dataPoints }) => [descriptor.name, dataPoints.map(({ value }) => value)]),
  );
  expect(values).toMatchObject({
    'unstuck.watchdog.active': [0],
    'unstuck.watchdog.timeouts': [1],
    'unstuck.watchdog.kills': [1],
    'unstuck.watchdog.watched': [{ count: 1 }],
  });
});

it('without OpenTelemetry the watchdog works, and nothing of it is loaded', async () => {
  const told = await runAs([], new URL('./without-telemetry.program.ts', import.meta.url));
  expect(told).toEqual({ how: 'WatchdogTimeoutError', isLoaded: false });
});
