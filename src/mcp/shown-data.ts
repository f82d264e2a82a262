import { oneLine, visible } from '../text/visible.js';

/** Fields with several lines. */
const multiline = new Set(['message', 'output']);

/** Data for a model: unseen characters are escapes, and every other text is a single line. */
export function shownData(value: unknown, field = ''): unknown {
  if (typeof value === 'string') return multiline.has(field) ? visible(value) : oneLine(value);
  if (Array.isArray(value)) return value.map((entry) => shownData(entry, field));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, shownData(entry, name)]));
}
