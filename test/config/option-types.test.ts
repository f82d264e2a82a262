import { expectTypeOf, test } from 'vitest';
import type { OptionKind } from '../../src/config/option.js';
import type { ValuesBy } from '../../src/config/options.js';
import type { CommandOptions, Duration, Size } from '../../src/model/operations/command-options.js';

/** What a program writes for an option, by its kind. */
interface Written extends Record<OptionKind, unknown> {
  duration: Duration;
  number: number;
  size: Size;
  boolean: boolean;
  text: string;
  path: string;
  regex: string;
  list: readonly string[];
}

test('the library has the options of the table, with the same choices', () => {
  // Compared by the compiler: tsc --noEmit fails when the two differ.
  expectTypeOf<Readonly<Required<CommandOptions>>>().toEqualTypeOf<ValuesBy<Written>>();
});
