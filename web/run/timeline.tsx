import { signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import uPlot from 'uplot';
import type { RunEvent } from '../../src/model/run/run.js';
import type { SampleColumns } from '../../src/model/run/sample-points.js';
import { formatBytes } from '../../src/text/format-bytes.js';
import { shown, timeOf } from '../words.js';
import { bandOf, momentsOf, stateWords } from './health-band.js';
import { axisPx, Plot, type Series } from './plot.js';

/** Rates, per second, from what was counted in each stretch. */
function seriesOf(columns: SampleColumns): Series[] {
  const rate = (values: readonly (number | null)[]) =>
    values.map((value, index) => {
      const forMs = columns.forMs[index] ?? 0;
      return value === null || forMs === 0 ? null : (value * 1000) / forMs;
    });
  const printed = columns.outputBytes.map((bytes, index) =>
    Math.max(0, bytes - (columns.outputBytes[index - 1] ?? 0)),
  );
  return [
    { title: 'CPU', format: (value) => `${Math.round(value)} %`, values: columns.cpuPercent },
    { title: 'Memory', format: formatBytes, values: columns.residentBytes },
    { title: 'I/O', format: (value) => `${formatBytes(value)}/s`, values: rate(columns.ioBytes) },
    { title: 'Output', format: (value) => `${formatBytes(value)}/s`, values: rate(printed) },
  ];
}

/** Where samples are missing, as while no daemon ran, the line is broken. */
function withGaps(columns: SampleColumns, series: readonly Series[]): { xs: number[]; series: Series[] } {
  const xs: number[] = [];
  const values = series.map((): (number | null)[] => []);
  for (const [index, atMs] of columns.atMs.entries()) {
    const before = columns.atMs[index - 1];
    if (before !== undefined && atMs - before > 2 * (columns.forMs[index] ?? 0) + 2000) {
      xs.push((before + 1) / 1000);
      for (const list of values) list.push(null);
    }
    xs.push(atMs / 1000);
    for (const [at, list] of values.entries()) list.push(series[at]?.values[index] ?? null);
  }
  return { xs, series: series.map((one, at) => ({ ...one, values: values[at] ?? [] })) };
}

export interface TimelineProps {
  columns: SampleColumns;
  events: readonly RunEvent[];
  startMs: number;
  endMs: number;
  isLive: boolean;
  /** A question of the run is open. */
  asks: boolean;
  /** A point in time was clicked. */
  onPick(atMs: number): void;
}

/** Health, events and plots on one time axis with a shared cursor. */
export function Timeline({ columns, events, startMs, endMs, isLive, asks, onPick }: TimelineProps) {
  const [range] = useMemo(() => [signal<[number, number] | null>(null)], []);
  const { xs, series } = useMemo(() => withGaps(columns, seriesOf(columns)), [columns]);
  const shownRange: [number, number] = range.value ?? [
    startMs / 1000,
    Math.max(endMs, startMs + 1000) / 1000,
  ];
  const group = useMemo(() => uPlot.sync(`run-${Math.random()}`), []);
  return (
    <section class="timeline" aria-label="Timeline">
      <Band events={events} startMs={startMs} endMs={endMs} asks={asks} range={shownRange} />
      {(xs.length === 0 ? [] : series).map((one, index) => (
        <Plot
          key={one.title}
          series={one}
          xs={xs}
          range={shownRange}
          isLast={index === series.length - 1}
          group={group.key}
          onRange={(next) => {
            range.value = next;
          }}
          onPick={onPick}
        />
      ))}
      <p class="muted small">
        {xs.length === 0
          ? isLive
            ? 'No samples yet: the first one comes after a few seconds.'
            : 'It ended before the first sample.'
          : 'Click a point to see what was printed then; drag to zoom, double click to zoom out.'}
      </p>
    </section>
  );
}

function Band({
  events,
  startMs,
  endMs,
  asks,
  range,
}: Omit<TimelineProps, 'columns' | 'isLive' | 'onPick'> & { range: [number, number] }) {
  const [from, to] = [range[0] * 1000, range[1] * 1000];
  const place = (atMs: number) => Math.min(100, Math.max(0, ((atMs - from) / (to - from)) * 100));
  const moments = momentsOf(events).filter(
    ({ atMs, kind }) => atMs >= from && atMs <= to && kind !== 'health',
  );
  return (
    <div class="band" style={{ marginLeft: `${axisPx}px` }}>
      <div class="track">
        {bandOf(events, startMs, endMs, asks).map((stretch) => (
          <span
            key={stretch.fromMs}
            class={stretch.state}
            style={{
              left: `${place(stretch.fromMs)}%`,
              width: `${place(stretch.toMs) - place(stretch.fromMs)}%`,
            }}
            title={`${timeOf(stretch.fromMs)} ${stateWords(stretch.state)}: ${shown(stretch.reason)}`}
          >
            <b>{stateWords(stretch.state)}</b>
          </span>
        ))}
      </div>
      <div class="moments">
        {moments.map((moment) => (
          <span
            key={`${moment.atMs} ${moment.text}`}
            class={moment.kind}
            style={{ left: `${place(moment.atMs)}%` }}
            title={`${timeOf(moment.atMs)} ${shown(moment.text)}`}
          />
        ))}
      </div>
    </div>
  );
}
