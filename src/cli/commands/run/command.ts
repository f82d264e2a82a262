import { type Command, Option } from '@commander-js/extra-typings';
import { flagOf, variableOf } from '../../../config/option.js';
import { options } from '../../../config/options.js';
import { printValue } from '../../../config/print-value.js';
import { presets } from '../../../model/run/health.js';
import { addTableOptions, givenFlags } from '../../shared/table-options.js';

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
~/.config/unstuck/config.json, and so is every option. Flags override variables, the
project, the user. unstuck config shows the values in this directory and their sources.

Durations are written 500ms, 5s, 10m, 2h, 1d. Nothing is stopped unless you ask for it.

Exit code: that of the command, 128 + N when signal N ended it, and
  121  it was stopped because it was idle or stuck
  124  it was stopped by --timeout
  125  Unstuck itself failed
  126  the command cannot be executed
  127  the command was not found

Signals are passed on as they come: INT, HUP and QUIT to the session of the command, TERM to
its tree, others (USR1 ...) to the command. Unstuck dies of the signal that ended the command.
At a terminal the command has one too: Ctrl-C and Ctrl-Z are as without unstuck run. Without
one (--no-pty, a pipe) the second Ctrl-C kills the tree. The command reads the input of
unstuck run, so in a loop such as while read it may read the list: use --stdin null.
Differences from running the command alone: docs/transparency.md

Examples:
  unstuck run -- npm test                             heartbeats, and the cause of a hang
  unstuck run --timeout 10m -- make -j8               give up after ten minutes
  unstuck run --kill-on certain -- ./deploy.sh        stop it once a hang is proven
  unstuck run --report run.json --junit run.xml -- pytest
  unstuck run --phase 'docs=typedoc' --progress 'page (\\d+) of (\\d+)' -- npm run build`;
}

/** `unstuck run`, with options from the table; `complete`: add them. */
export function addRunCommand(program: Command, complete: boolean): void {
  const run = program
    .command('run')
    .description('run a command and report whether it works, waits or is stuck')
    .usage('[options] [--] command…')
    .argument('<command...>', 'the command and its arguments; options of unstuck come before it')
    .option('--on <place>', 'run it in another place: ssh:HOST, docker:NAME …; see docs/places.md')
    .passThroughOptions()
    .helpOption(false)
    .addHelpText('after', afterHelp);
  if (complete) addTableOptions(run as unknown as Command, options);
  run.addHelpOption(new Option('-h, --help', 'print this help').helpGroup('Help:'));
  run.action(async (words, { on }, command) => {
    const { runRun } = await import('./run.js');
    await runRun(words, givenFlags(command, options), on);
  });
}
