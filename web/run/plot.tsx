import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { isDark } from '../theme.js';
import { timeOf } from '../words.js';

export const axisPx = 62;
const plotPx = 64;
/** The width of `16:36:00`, without the room beside the plot. */
const labelPx = 36;
/** Room above the highest value, for the title. */
const headRoom = 1.4;

export interface Series {
  title: string;
  format(value: number): string;
  values: (number | null)[];
}

interface PlotProps {
  series: Series;
  xs: number[];
  range: [number, number];
  isLast: boolean;
  group: string;
  onRange(range: [number, number] | null): void;
  onPick(atMs: number): void;
}

/** One quantity over time; the cursor is shared with the other plots of the group. */
export function Plot({ series, xs, range, isLast, group, onRange, onPick }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const newest = useRef({ onRange, onPick });
  newest.current = { onRange, onPick };
  const dark = isDark.value;
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const style = getComputedStyle(document.documentElement);
    const color = (name: string) => style.getPropertyValue(name).trim();
    const made = new uPlot(
      optionsOf(series, { width: element.clientWidth, isLast, group, color }),
      [[], []],
      element,
    );
    plot.current = made;
    let down = 0;
    const over = made.over;
    over.addEventListener('mousedown', (event) => {
      down = event.clientX;
    });
    over.addEventListener('mouseup', (event) => {
      const { left = -1 } = made.cursor;
      if (Math.abs(event.clientX - down) < 4 && left >= 0)
        newest.current.onPick(made.posToVal(left, 'x') * 1000);
      else setTimeout(() => zoomed(made), 0);
    });
    over.addEventListener('dblclick', () => newest.current.onRange(null));
    const zoomed = (one: uPlot) => {
      const { min, max } = one.scales.x ?? {};
      if (min != null && max != null) newest.current.onRange([min, max]);
    };
    const resize = new ResizeObserver(() =>
      made.setSize({ width: element.clientWidth, height: heightOf(isLast) }),
    );
    resize.observe(element);
    return () => {
      resize.disconnect();
      made.destroy();
    };
  }, [dark, group, isLast]);
  const [from, to] = range;
  useEffect(() => {
    plot.current?.batch(() => {
      plot.current?.setData([xs, series.values] as uPlot.AlignedData, false);
      plot.current?.setScale('x', { min: from, max: to });
    });
  }, [xs, series, from, to, dark]);
  const last = series.values.findLast((value) => value !== null) ?? null;
  return (
    <figure class="plot">
      <figcaption>
        {series.title}
        {last !== null && <small class="mono">{series.format(last)}</small>}
      </figcaption>
      <div ref={place} />
    </figure>
  );
}

const heightOf = (isLast: boolean) => plotPx + (isLast ? 22 : 0);

interface Looks {
  width: number;
  isLast: boolean;
  group: string;
  color(name: string): string;
}

function optionsOf({ title, format }: Series, { width, isLast, group, color }: Looks): uPlot.Options {
  const grid = { stroke: color('--line'), width: 1 };
  const font = '11px ui-sans-serif, system-ui, sans-serif';
  return {
    width,
    height: heightOf(isLast),
    padding: [6, 8, 0, 0],
    legend: { show: false },
    cursor: {
      sync: { key: group, scales: ['x', null] },
      drag: { x: true, y: false, setScale: true },
      points: { size: 6 },
      y: false,
    },
    scales: {
      x: { time: true, auto: false },
      y: { range: (_, __, max) => [-0.03 * (max || 1), (max || 1) * headRoom] },
    },
    series: [
      {},
      {
        label: title,
        stroke: color('--accent'),
        fill: color('--accent-soft'),
        width: 1.5,
        points: { show: false },
      },
    ],
    axes: [
      {
        show: isLast,
        stroke: color('--muted'),
        font,
        grid,
        ticks: { show: false },
        size: 22,
        space: 70,
        values: (one, splits, __, ___, stepS) =>
          splits.map((atS) => (isAtEdge(one, atS) ? '' : clockOf(atS, stepS))),
      },
      {
        stroke: color('--muted'),
        font,
        grid,
        ticks: { show: false },
        size: axisPx,
        splits: (_, __, ___, max) => [0, max / headRoom / 2, max / headRoom],
        values: (_, splits) => splits.map((value, index) => (index === 2 ? format(value) : '')),
      },
    ],
    hooks: {
      setCursor: [(one) => showCursor(one, format)],
    },
  };
}

/** A label there would be cut. */
const isAtEdge = (one: uPlot, atS: number) => one.over.clientWidth - one.valToPos(atS, 'x') < labelPx / 2;

/** The value under the cursor, beside the title. */
function showCursor(one: uPlot, format: (value: number) => string): void {
  const caption = one.root.closest('figure')?.querySelector('small');
  const index = one.cursor.idx;
  const atS = index == null ? undefined : one.data[0][index];
  const value = index == null ? undefined : one.data[1]?.[index];
  if (caption == null || atS === undefined || value == null) return;
  caption.textContent = `${format(value)}  ${timeOf(atS * 1000)}`;
}

/** `16:36`, and with seconds where the axis has less than a minute between two labels. */
const clockOf = (atS: number, stepS: number) => timeOf(atS * 1000).slice(0, stepS < 60 ? 8 : 5);
