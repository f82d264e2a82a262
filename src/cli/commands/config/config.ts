import { dirname } from 'node:path';
import pc from 'picocolors';
import { options } from '../../../config/options.js';
import type { PrintedValue } from '../../../config/print-value.js';
import type { SettingOrigin } from '../../../config/resolve.js';
import {
  type ConfigReport,
  config,
  explainSetting,
  type SettingExplanation,
} from '../../../control/config.js';
import { printable } from '../../../text/printable.js';
import { useColor } from '../../output/color.js';
import { jsonDocument } from '../../output/json-document.js';
import { endWithReader } from '../../shared/end-with-reader.js';
import { fail } from '../../shared/fail.js';

type Colors = ReturnType<typeof pc.createColors>;

function shownValue(value: PrintedValue): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return '-';
  return printable(Array.isArray(value) ? value.join('  ') : String(value));
}

function shownOrigin({ origin, where }: Pick<SettingOrigin, 'origin' | 'where'>): string {
  if (origin === 'default') return 'default';
  return `${origin} ${printable(where)}`;
}

function renderSettings(settings: readonly SettingOrigin[], colors: Colors): string[] {
  const keyWidth = Math.max(...settings.map(({ key }) => key.length));
  const valueWidth = Math.min(24, Math.max(...settings.map(({ value }) => shownValue(value).length)));
  const groups = [...new Set(options.map(({ group }) => group))];
  return groups.flatMap((group) => [
    colors.bold(group),
    ...settings
      .filter(({ key }) => options.find((row) => row.key === key)?.group === group)
      .map((setting) => {
        const line = `  ${setting.key.padEnd(keyWidth)}  ${shownValue(setting.value).padEnd(valueWidth)}  `;
        const isOurs = setting.origin === 'default' || setting.origin === 'preset';
        return line + (isOurs ? colors.dim(shownOrigin(setting)) : colors.green(shownOrigin(setting)));
      }),
    '',
  ]);
}

/** Every setting on one line, then the configuration files. */
export function renderConfig({ settings, files, strangers }: ConfigReport, color: boolean): string {
  const colors = pc.createColors(color);
  return [
    ...renderSettings(settings, colors),
    ...files.map(({ role, file, found, upTo }) => {
      const above =
        upTo === undefined || upTo === dirname(file) ? '' : `, nor in a directory above it up to ${upTo}`;
      return `${role}: ${printable(file)} ${found ? '(read)' : `(not found${printable(above)})`}`;
    }),
    ...strangers.map(({ variable, near }) =>
      colors.yellow(`${printable(variable)} is not a setting; did you mean ${near}?`),
    ),
    '',
  ].join('\n');
}

function validValues(option: SettingExplanation['option']): string {
  switch (option.kind) {
    case 'duration':
      return 'a duration such as 500ms, 5s, 10m, 2h or 1d';
    case 'number':
      return `a ${option.whole ? 'whole ' : ''}number from ${option.min} to ${option.max}`;
    case 'size':
      return 'a number of bytes such as 512, 5k, 10M or 1G';
    case 'choice':
      return `one of ${option.choices.join(', ')}`;
    case 'boolean':
      return 'true or false';
    case 'text':
      return 'a short text';
    case 'path':
      return 'a path; in a project file, one below the project';
    case 'regex':
      return 'a JavaScript regular expression, without slashes';
    case 'list':
      return 'a list of NAME=REGEX; in a variable, one per line';
  }
}

/** Explains one setting. */
export function renderExplanation(one: SettingExplanation, color: boolean): string {
  const colors = pc.createColors(color);
  const lines = [
    `${colors.bold(`${one.key} = ${shownValue(one.value)}`)}   ${shownOrigin(one)}`,
    ...one.shadowed.map((weaker) => `  instead of ${shownValue(weaker.value)}   ${shownOrigin(weaker)}`),
    '',
    one.option.help,
    validValues(one.option),
    `flag ${one.flag}, variable ${one.variable}, key ${one.key} in unstuck.json`,
    '',
  ];
  return lines.join('\n');
}

/** `unstuck config`. */
export function runConfig(flags: { json?: true | undefined; explain?: string | undefined }): void {
  endWithReader();
  try {
    const print = <T extends object>(report: T, render: (report: T, color: boolean) => string): void => {
      process.stdout.write(flags.json ? jsonDocument(report) : render(report, useColor()));
    };
    if (flags.explain === undefined) print(config(), renderConfig);
    else print(explainSetting(flags.explain), renderExplanation);
  } catch (error) {
    fail(error, flags.json === true);
  }
}
