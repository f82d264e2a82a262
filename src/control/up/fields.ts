import { nearest } from '../../config/nearest.js';
import { readPatterns } from '../../diagnose/notices/pattern.js';
import { Failure } from '../../model/failure.js';
import type { RestartPolicyInput } from '../../model/operations/inputs.js';
import { parseDuration } from '../../text/duration.js';
import { bad, near } from './up-plan.js';

/** The entries of an object in a file. Each is read once; what is left at the end is unknown. */
export class Fields {
  readonly file: string;
  readonly #place: string;
  readonly #entries: Map<string, unknown>;
  readonly #known: string[] = [];

  constructor(entries: Map<string, unknown>, file: string, place: string) {
    this.#entries = entries;
    this.file = file;
    this.#place = place;
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** Throws for a key that was not read. */
  end(): void {
    const [unknown] = this.#entries.keys();
    if (unknown === undefined) return;
    throw bad(
      this.file,
      `${this.#place} has an unknown key ${JSON.stringify(unknown)}`,
      near(unknown, this.#known),
    );
  }

  need(key: string): Fields {
    const fields = this.optional(key);
    if (fields !== null) return fields;
    throw this.#lacks(key);
  }

  /** A key that is missing may be there under a name that is nearly the same. */
  #lacks(key: string): Failure {
    const other = nearest(key, [...this.#entries.keys()]);
    const hint = other === null ? `add ${key}` : `write ${key} instead of ${other}`;
    return bad(this.file, `${this.#place} has no ${key}`, hint);
  }

  optional(key: string): Fields | null {
    const value = this.#take(key);
    return value === undefined || value === null ? null : fieldsOf(value, this.file, `${this.#place}.${key}`);
  }

  /** All entries as objects. */
  entries(): [string, Fields][] {
    const all = [...this.#entries].map(([key, value]): [string, Fields] => [
      key,
      fieldsOf(value, this.file, key),
    ]);
    this.#entries.clear();
    return all;
  }

  text(key: string): string | undefined {
    return this.#read(key, 'a text', (value) =>
      typeof value === 'string' && value !== '' ? value : undefined,
    );
  }

  /** A text or a /regular expression/ to be found in a line. */
  pattern(key: string): string | undefined {
    const written = this.text(key);
    try {
      readPatterns(written === undefined ? [] : [written]);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      throw bad(this.file, `${this.#place}.${key}: ${error.message}`, error.hint);
    }
    return written;
  }

  truth(key: string): boolean | undefined {
    return this.#read(key, 'true or false', (value) => (typeof value === 'boolean' ? value : undefined));
  }

  whole(key: string, min: number, max: number): number | undefined {
    return this.#read(key, `a whole number from ${min} to ${max}`, (value) => {
      const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
      const isGood = typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max;
      return isGood ? number : undefined;
    });
  }

  /** In milliseconds. */
  duration(key: string): number | undefined {
    return this.#read(key, 'a duration such as 30s', (value) => {
      const isTime = typeof value === 'string' || typeof value === 'number';
      return (isTime ? parseDuration(String(value)) : null) ?? undefined;
    });
  }

  texts(key: string): string[] | undefined {
    return this.#read(
      key,
      'a list of texts',
      (value) => {
        const list = typeof value === 'string' ? [value] : value;
        return Array.isArray(list) && list.every((one) => typeof one === 'string') ? list : undefined;
      },
      'put numbers, true and false in quotes: [sleep, "9"]',
    );
  }

  command(key: string): string | string[] {
    const value = this.#entries.get(key);
    if (value === undefined) throw this.#lacks(key);
    const command = typeof value === 'string' ? this.text(key) : this.texts(key);
    if (command !== undefined && command.length > 0) return command;
    throw bad(this.file, `${this.#place}.${key} is empty`, 'give a command');
  }

  /** `{NAME: value}` or `["NAME=value"]`. */
  variables(key: string): Record<string, string> {
    const pairs = this.#read(key, 'variables: NAME: value', (value) => {
      const list = Array.isArray(value)
        ? value.map((one) => /^([^=]+)=(.*)$/s.exec(String(one))?.slice(1, 3))
        : Object.entries(value as object).map(([name, one]) => [name, String(one)]);
      return list.every((pair) => pair !== undefined) ? (list as [string, string][]) : undefined;
    });
    return Object.fromEntries(pairs ?? []);
  }

  choice<Name extends string>(key: string, names: readonly Name[]): Name | undefined {
    return this.#read(key, `one of ${names.join(', ')}`, (value) => names.find((name) => name === value));
  }

  restart(): RestartPolicyInput | null {
    const on = this.choice('restart', ['no', 'on-failure', 'always']);
    const [max, delayMs] = [this.whole('restartMax', 1, 1_000_000), this.duration('restartDelay')];
    if (on === undefined || on === 'no') return null;
    return {
      on,
      ...(max !== undefined && { max }),
      ...(delayMs !== undefined && { delayS: delayMs / 1000 }),
    };
  }

  /** Knows a key and leaves it out. */
  skip(...keys: string[]): void {
    for (const key of keys) this.#take(key);
  }

  #take(key: string): unknown {
    this.#known.push(key);
    const value = this.#entries.get(key);
    this.#entries.delete(key);
    return value;
  }

  #read<Value>(
    key: string,
    expected: string,
    read: (value: unknown) => Value | undefined,
    hint = 'correct it',
  ): Value | undefined {
    const value = this.#take(key);
    if (value === undefined || value === null) return undefined;
    const good = read(value);
    if (good !== undefined) return good;
    throw bad(this.file, `${this.#place}.${key} must be ${expected}`, hint);
  }
}

export function fieldsOf(value: unknown, file: string, place: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw bad(file, `${place} must be an object`, 'write KEY: VALUE pairs');
  }
  return new Fields(new Map(Object.entries(value)), file, place);
}
