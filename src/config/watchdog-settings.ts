import { Failure } from '../model/failure.js';
import type { OptionRow } from './option.js';
import { readValue } from './read-value.js';

/** Settings of a watchdog from outside the program that starts it. */
const rows = {
  enabled: { key: 'WATCHDOG_ENABLED', kind: 'boolean', default: true },
  idleTimeoutMs: { key: 'WATCHDOG_TIMEOUT', kind: 'duration', minMs: 1, default: '180s' },
} as const;

export interface WatchdogSettings {
  /** false: no process is ever ended. */
  enabled: boolean;
  /** Default when the caller gives none. */
  idleTimeoutMs: number;
}

/** Throws one Failure that names every invalid variable. */
export function watchdogSettings(env: NodeJS.ProcessEnv): WatchdogSettings {
  const problems: { sentence: string; hint: string }[] = [];
  const entries = Object.entries(rows).map(([name, row]) => {
    const variable = `UNSTUCK_${row.key}`;
    const raw = env[variable] || row.default;
    const option: OptionRow = { ...row, group: '', help: '' };
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
