import { type Command, Option } from '@commander-js/extra-typings';
import { flagOf, type OptionRow, variableOf } from '../config/option.js';
import { options } from '../config/options.js';
import { type PrintedValue, printValue } from '../config/print-value.js';
import { defaultPreset, presets } from '../model/health-presets.js';

const valueNames: Partial<Record<OptionRow['kind'], string>> = { duration: 'duration', regex: 'regex' };

/** What it is if nobody says anything, as one would type it. */
function shownDefault(row: OptionRow): PrintedValue {
  return 'threshold' in row
    ? printValue(row, presets[defaultPreset][row.threshold])
    : (row.default as PrintedValue);
}

/** Both spellings of a switch: a file may have turned it on. Help shows the one that changes the default. */
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
  // Values are checked together with those of all other sources, so that all that is wrong is said at once.
  option.argParser<string | string[]>((text, before) =>
    row.kind === 'list' ? [...(Array.isArray(before) ? before : []), text] : text,
  );
  const fallback = shownDefault(row);
  if (fallback !== null && row.kind !== 'list') option.default(fallback, String(fallback));
  return option;
}

const example = { key: 'killOn' };

function presetTable(): string {
  const differing = options.filter(
    (row) => 'threshold' in row && new Set(Object.values(presets).map((one) => one[row.threshold])).size > 1,
  );
  const line = (cells: string[]) => `  ${cells.map((cell) => cell.padEnd(14)).join('')}`.trimEnd();
  const rows = Object.entries(presets).map(([name, numbers]) =>
    line([
      name,
      ...differing.map((row) => ('threshold' in row ? String(printValue(row, numbers[row.threshold])) : '')),
    ]),
  );
  return [line(['', ...differing.map(flagOf)]), ...rows].join('\n');
}

function afterHelp(): string {
  return `
Presets:
${presetTable()}

${flagOf(example)} is also the variable ${variableOf(example)} and the key ${example.key} in unstuck.json of the project and in
~/.config/unstuck/config.json, and so is every option. Flags come first, then variables, the
project, the user. unstuck config shows what holds here, and where it came from.

Durations are written 500ms, 5s, 10m, 2h, 1d. Nothing is stopped unless you ask for it.

Exit code: that of the command, 128 + N when signal N ended it, and
  121  it was idle or stuck and was stopped
  124  it was stopped by --timeout
  125  Unstuck itself failed
  126  the command cannot be executed
  127  the command was not found

Examples:
  unstuck run -- npm test                             heartbeats, and why when it hangs
  unstuck run --timeout 10m -- make -j8               give up after ten minutes
  unstuck run --kill-on certain -- ./deploy.sh        stop it once it is proven that it will not go on
  unstuck run --report run.json --junit run.xml -- pytest
  unstuck run --phase 'docs=typedoc' --progress 'page (\\d+) of (\\d+)' -- npm run build`;
}

/** Only what was typed, as it was typed, by key. */
function givenFlags(command: {
  getOptionValue(key: string): unknown;
  getOptionValueSource(key: string): string | undefined;
}): Record<string, unknown> {
  const given = options.filter(({ key }) => command.getOptionValueSource(key) === 'cli');
  return Object.fromEntries(given.map(({ key }) => [key, command.getOptionValue(key)]));
}

function addOptions(run: Pick<Command, 'addOption'>): void {
  for (const row of options) {
    for (const option of row.kind === 'boolean' ? switches(row) : [valued(row)])
      run.addOption(option.helpGroup(`${row.group}:`));
  }
}

/** `unstuck run`, its options made from the table; `complete`: they are needed this time. */
export function addRunCommand(program: Command, complete: boolean): void {
  const run = program
    .command('run')
    .description('run a command, say whether it works, waits or is stuck, and end as it ends')
    .usage('[options] [--] command…')
    .argument('<command...>', 'the command and its arguments; options of ours come before it')
    .passThroughOptions()
    .helpOption(false)
    .showHelpAfterError('hint: see unstuck run --help')
    .addHelpText('after', afterHelp);
  if (complete) addOptions(run as unknown as Command);
  run.addHelpOption(new Option('-h, --help', 'print this help').helpGroup('Help:'));
  run.action(async (words, _options, command) => {
    const { runRun } = await import('./run.js');
    await runRun(words, givenFlags(command));
  });
}
