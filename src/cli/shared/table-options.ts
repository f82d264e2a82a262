import { type Command, Option } from '@commander-js/extra-typings';
import { flagOf, type OptionRow } from '../../config/option.js';
import { type PrintedValue, printValue } from '../../config/print-value.js';
import { defaultPreset, presets } from '../../model/run/health.js';

const valueNames: Partial<Record<OptionRow['kind'], string>> = { duration: 'duration', regex: 'regex' };

/** The default value, as it would be typed. */
function shownDefault(row: OptionRow): PrintedValue {
  return 'threshold' in row
    ? printValue(row, presets[defaultPreset][row.threshold])
    : (row.default as PrintedValue);
}

/** Both spellings of a switch, because a file may have turned it on. Help shows the one that changes the default. */
function switches(row: OptionRow & { kind: 'boolean' }): Option[] {
  const flag = flagOf(row);
  const [on, off] = [flag, flag.replace('--', '--no-')];
  return row.default
    ? [new Option(off, `do not ${row.help}`), new Option(on).hideHelp()]
    : [new Option(on, row.help), new Option(off).hideHelp()];
}

function valued(row: OptionRow): Option {
  const option = new Option(`${flagOf(row)} <${row.value ?? valueNames[row.kind] ?? 'value'}>`, row.help);
  if (row.kind === 'choice') option.choices(row.choices);
  // Values are checked together with those of all sources, so that all problems are reported at once.
  option.argParser<string | string[]>((text, before) =>
    row.kind === 'list' ? [...(Array.isArray(before) ? before : []), text] : text,
  );
  const fallback = shownDefault(row);
  if (fallback !== null && row.kind !== 'list') option.default(fallback, String(fallback));
  return option;
}

/** Adds an option for each row of the table, under its heading. */
export function addTableOptions(command: Pick<Command, 'addOption'>, rows: readonly OptionRow[]): void {
  for (const row of rows) {
    for (const option of row.kind === 'boolean' ? switches(row) : [valued(row)])
      command.addOption(option.helpGroup(`${row.group}:`));
  }
}

/** Options given on the command line, unparsed, by key. */
export function givenFlags(
  command: {
    getOptionValue(key: string): unknown;
    getOptionValueSource(key: string): string | undefined;
  },
  rows: readonly OptionRow[],
): Record<string, unknown> {
  const given = rows.filter(({ key }) => command.getOptionValueSource(key) === 'cli');
  return Object.fromEntries(given.map(({ key }) => [key, command.getOptionValue(key)]));
}
