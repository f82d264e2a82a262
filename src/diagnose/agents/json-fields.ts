import { redact } from '../../redact/redact.js';
import { printable } from '../../text/printable.js';

/** What came from outside: every field has to be asked for its type. */
export type JsonObject = Readonly<Record<string, unknown>>;

const nothing: JsonObject = {};
const idCharsMax = 100;
const nameCharsMax = 40;
const textCharsMax = 200;
/** More in one line are not looked at. */
const itemsMax = 100;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Empty: it is none. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : nothing;
}

export function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.slice(0, itemsMax).filter(isObject) : [];
}

/** null: there is none. */
export function idOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, idCharsMax) : null;
}

/** One word that may be shown. */
export function nameOf(value: unknown, otherwise: string): string {
  const name = typeof value === 'string' ? printable(value.slice(0, nameCharsMax)).replace(/\s+/g, '_') : '';
  return name === '' ? otherwise : name;
}

/** One short line that may be shown and kept: secrets are masked before it is cut. */
export function textOf(value: unknown): string {
  if (typeof value !== 'string') return '';
  const line = printable(
    redact(
      value
        .slice(0, 2 * textCharsMax)
        .replace(/\s+/g, ' ')
        .trim(),
    ),
  );
  return line.length <= textCharsMax ? line : `${line.slice(0, textCharsMax - 1)}…`;
}

/** What is no count is none: 0. */
export function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.floor(value) : 0;
}
