import { redact } from '../../redact/redact.js';
import { printable } from '../../text/printable.js';

/** Untrusted data: the type of every field has to be checked. */
export type JsonObject = Readonly<Record<string, unknown>>;

const nothing: JsonObject = {};
const idCharsMax = 100;
const nameCharsMax = 40;
const textCharsMax = 200;
/** Further items of a line are ignored. */
const itemsMax = 100;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Empty if the value is not an object. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : nothing;
}

export function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.slice(0, itemsMax).filter(isObject) : [];
}

/** null: the value is not an id. */
export function idOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, idCharsMax) : null;
}

/** A single word that is safe to show. */
export function nameOf(value: unknown, otherwise: string): string {
  const name = typeof value === 'string' ? printable(value.slice(0, nameCharsMax)).replace(/\s+/g, '_') : '';
  return name === '' ? otherwise : name;
}

/** A short line that is safe to show and keep: secrets are masked before it is cut. */
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

/** 0 if the value is not a count. */
export function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.floor(value) : 0;
}
