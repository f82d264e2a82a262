const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** For reading, in at most four digits: `84 MB`, `1.5 GB`. */
export function formatBytes(bytes: number): string {
  let value = Math.max(0, bytes);
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const digits = value < 10 && unit > 0 ? value.toFixed(1).replace(/\.0$/, '') : String(Math.round(value));
  return `${digits} ${units[unit]}`;
}
