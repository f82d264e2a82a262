const units: [suffix: string, ms: number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
];

const part = String.raw`(\d+(?:\.\d+)?)(ms|s|m|h|d)`;
const whole = new RegExp(`^(?:${part})+$`);
/** Longer text is refused before it is searched. */
const textMax = 100;

/** `500ms`, `5s`, `10m`, `1h30m`, `1d`; a bare number is seconds. null: not a duration. */
export function parseDuration(text: string): number | null {
  const bare = text.trim();
  if (/^\d+(?:\.\d+)?$/.test(bare)) return Number(bare) * 1000;
  if (bare.length > textMax || !whole.test(bare)) return null;
  const parts = [...bare.matchAll(new RegExp(part, 'g'))].map(([, number, suffix]) => ({
    number: Number(number),
    unitMs: units.find(([name]) => name === suffix)?.[1] ?? 0,
  }));
  // `30m1h` and `5m5m` are slips of the keyboard rather than durations.
  const isOrdered = parts.every(
    ({ unitMs }, index) => unitMs < (parts[index - 1]?.unitMs ?? Number.POSITIVE_INFINITY),
  );
  return isOrdered ? parts.reduce((sum, { number, unitMs }) => sum + number * unitMs, 0) : null;
}

/** For messages: the two largest units. `372000` is `6 min 12 s`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 10) return `${seconds.toFixed(1).replace(/\.0$/, '')} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return pair(Math.floor(whole / 60), 'min', whole % 60, 's');
  if (whole < 86_400) return pair(Math.floor(whole / 3600), 'h', Math.floor((whole % 3600) / 60), 'min');
  return pair(Math.floor(whole / 86_400), 'd', Math.floor((whole % 86_400) / 3600), 'h');
}

function pair(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}
