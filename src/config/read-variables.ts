import { Failure } from '../model/failure.js';
import type { OptionRow, OptionSpec } from './option.js';
import { readValue } from './read-value.js';

type WithoutHelp<Spec> = Spec extends unknown ? Omit<Spec, 'help'> : never;

/** A setting that only a variable changes. */
type VariableRow = WithoutHelp<Extract<OptionSpec, { default: unknown }>> & { key: string };

/** Throws one Failure that names every invalid variable. */
export function readVariables<Settings extends object>(
  rows: Record<keyof Settings, VariableRow>,
  env: NodeJS.ProcessEnv,
): Settings {
  const problems: { sentence: string; hint: string }[] = [];
  const entries = Object.entries<VariableRow>(rows).map(([name, row]) => {
    const variable = `UNSTUCK_${row.key}`;
    const raw = env[variable] || row.default;
    const option = { ...row, group: '', help: '' } as OptionRow;
    const reading = readValue(option, raw, { baseDir: '/', confined: false, home: null });
    if ('value' in reading) return [name, reading.value];
    problems.push({
      sentence: `${variable} is ${JSON.stringify(raw)}, ${reading.complaint}`,
      hint: reading.hint,
    });
    return [name, null];
  });
  const [first, second] = problems;
  if (first === undefined) return Object.fromEntries(entries);
  if (second === undefined) throw new Failure('bad-config', first.sentence, first.hint);
  const lines = problems.map(({ sentence, hint }) => `  ${sentence} (${hint})`);
  throw new Failure(
    'bad-config',
    `${problems.length} variables are wrong:\n${lines.join('\n')}`,
    'correct or unset them',
  );
}
