import type { Thresholds } from '../model/run/health.js';

/** Default of an option: from the table, or from the chosen preset. */
type Fallback<T> = { default: T } | { threshold: keyof Thresholds };

/** One entry of the table: one flag, one variable and one key in a file. */
export type OptionSpec = {
  help: string;
  /** Name of the value in the help. */
  value?: string;
} & (
  | ({ kind: 'duration'; minMs?: number } & Fallback<string>)
  | ({ kind: 'number'; min: number; max: number; whole?: true; unit?: string } & Fallback<number>)
  | ({ kind: 'size' } & Fallback<number>)
  | { kind: 'choice'; choices: readonly string[]; default: string }
  | { kind: 'boolean'; default: boolean; notInProjectFile?: true }
  | { kind: 'text' | 'path' | 'regex'; default: null }
  | { kind: 'list'; default: readonly [] }
);

export type OptionRow<Key extends string = string> = OptionSpec & { key: Key; group: string };

export type OptionKind = OptionSpec['kind'];

/** A rule `NAME=REGEX`. */
export interface NamedPattern {
  name: string;
  pattern: RegExp;
}

/** The type of a parsed value. null: not set. */
export interface KindValues {
  /** Milliseconds. */
  duration: number;
  number: number;
  /** Bytes. */
  size: number;
  choice: string;
  boolean: boolean;
  text: string | null;
  /** Absolute. */
  path: string | null;
  regex: RegExp | null;
  list: NamedPattern[];
}

export type OptionValue = KindValues[OptionKind];

function splitKey(key: string, between: string): string {
  return key.replace(/[A-Z]/g, (letter) => between + letter);
}

/** `killOn` is `--kill-on`. */
export function flagOf({ key }: { key: string }): string {
  return `--${splitKey(key, '-').toLowerCase()}`;
}

/** `killOn` is `UNSTUCK_KILL_ON`. */
export function variableOf({ key }: { key: string }): string {
  return `UNSTUCK_${splitKey(key, '_').toUpperCase()}`;
}
