import { flagOf, type OptionRow } from '../../../config/option.js';
import { options } from '../../../config/options.js';

export interface RunArgv {
  command: string[];
  /** Raw values by key, as typed. */
  flags: Record<string, unknown>;
}

/** An option on the command line: its row, and the value if it is in the same argument. */
interface Typed {
  row: OptionRow;
  value: string | boolean | undefined;
}

function typed(word: string): Typed | null {
  const equals = word.indexOf('=');
  const name = equals === -1 ? word : word.slice(0, equals);
  for (const row of options) {
    const flag = flagOf(row);
    if (row.kind === 'boolean') {
      if (word === flag) return { row, value: true };
      if (word === flag.replace('--', '--no-')) return { row, value: false };
    } else if (name === flag) return { row, value: equals === -1 ? undefined : word.slice(equals + 1) };
  }
  return null;
}

/**
 * Parses the arguments after `unstuck run` without the full parser, whose loading takes longer than most commands.
 * null: something unusual (help, a typo, no command), which the full parser handles.
 */
export function readRunArgv(words: readonly string[]): RunArgv | null {
  const flags: Record<string, unknown> = {};
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at] as string;
    if (word === '--') break;
    if (!word.startsWith('-')) return { command: words.slice(at), flags };
    const option = typed(word);
    if (option === null) return null;
    let { value } = option;
    if (value === undefined) {
      at += 1;
      value = words[at];
    }
    if (value === undefined) return null;
    const { key, kind } = option.row;
    flags[key] = kind === 'list' ? [...((flags[key] as string[] | undefined) ?? []), value] : value;
  }
  const command = words.slice(at + 1);
  return command.length === 0 ? null : { command, flags };
}
