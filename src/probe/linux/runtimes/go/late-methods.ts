import type { GoType } from './types.js';

/**
 * Methods that a type assertion may find (`v.(io.Closer)`): the runtime makes the table of methods at the first one, and
 * until then only the type names them. They count once a type was found that has them, and an interface that asks for
 * them, in any order.
 */
export class LateMethods {
  readonly #asked = new Set<string>();
  readonly #entries = new Map<string, number[]>();
  readonly #all: readonly LateMethods[];

  /** `before`: what was found before, which is not changed. */
  constructor(before: LateMethods | null) {
    this.#all = before === null ? [this] : [...before.#all, this];
  }

  /** The code that can be found now, and could not before this type was known. */
  add({ methods, asked }: GoType): number[] {
    const found: number[] = [];
    for (const [name, entries] of methods) {
      this.#entries.set(name, [...(this.#entries.get(name) ?? []), ...entries]);
      if (this.#isAsked(name)) found.push(...entries);
    }
    for (const name of asked) {
      if (this.#isAsked(name)) continue;
      this.#asked.add(name);
      for (const one of this.#all) found.push(...(one.#entries.get(name) ?? []));
    }
    return found;
  }

  #isAsked(name: string): boolean {
    return this.#all.some((one) => one.#asked.has(name));
  }
}
