import {
  type CommandHistory,
  forgetHistories,
  forgetHistory,
  histories,
  history,
  historyKeyOf,
} from '../../../control/history/history.js';
import { Failure, failureCodes } from '../../../model/failure.js';
import { note, printJson, say } from '../../output/print.js';
import { endWithReader } from '../../shared/end-with-reader.js';
import { fail } from '../../shared/fail.js';
import { renderCommands, renderCsv, renderHistory, renderKey } from './render.js';

export interface HistoryFlags {
  key?: true | undefined;
  historyKey?: string | undefined;
  limit: string;
  export?: 'csv' | undefined;
  forget?: true | undefined;
  all?: true | undefined;
  json?: true | undefined;
}

/** `unstuck history`. */
export function runHistory(words: readonly string[], flags: HistoryFlags): void {
  endWithReader();
  try {
    const { output, lines, isKnown = true } = answer(words, flags);
    if (flags.json) {
      printJson(output);
      if (!isKnown) process.exitCode = nothingCode;
    } else for (const line of lines()) say(line);
  } catch (error) {
    fail(error, flags.json === true);
  }
}

/** The same answer for programs and for people. */
interface Answer {
  output: object;
  lines(): readonly string[];
  /** false: there is no such history. Programs get the answer all the same. */
  isKnown?: boolean;
}

const nothingCode = failureCodes['no-such-run'].exit;

function answer(words: readonly string[], flags: HistoryFlags): Answer {
  const { historyKey } = flags;
  const isOne = words.length > 0 || historyKey !== undefined;
  const limit = limitOf(flags.limit);
  if (flags.forget) return forget(words, flags, isOne);
  if (!isOne && !flags.key && flags.export === undefined) return everyCommand();
  const key = historyKeyOf(words, { historyKey });
  const known = history(words, { historyKey });
  if (flags.key) return { output: key, lines: () => renderKey(key, known.runs.length) };
  return {
    output: known,
    isKnown: known.runs.length > 0,
    lines: () => {
      if (known.runs.length === 0) throw nothing(known);
      if (flags.export === 'csv') return renderCsv(known.runs);
      return renderHistory(known, { limit, columns: columns() });
    },
  };
}

function everyCommand(): Answer {
  const all = histories();
  return {
    output: { version: 1, histories: all },
    lines: () => {
      if (all.length === 0) note('no history yet: it begins with the next unstuck run');
      return renderCommands(all, columns());
    },
  };
}

function forget(words: readonly string[], { historyKey, all }: HistoryFlags, isOne: boolean): Answer {
  if (!isOne && !all) {
    throw new Failure(
      'bad-input',
      'no command given',
      'name the command: unstuck history --forget -- npm test; or all: unstuck history --forget --all',
    );
  }
  const runs = isOne ? forgetHistory(words, { historyKey }) : forgetHistories();
  if (isOne && runs === 0) throw nothing(historyKeyOf(words, { historyKey }));
  return {
    output: { version: 1, forgotten: runs },
    lines: () => [`forgot ${runs} ${runs === 1 ? 'run' : 'runs'}`],
  };
}

function nothing({ command }: Pick<CommandHistory, 'command'>): Failure {
  return new Failure(
    'no-such-run',
    `no run of ${command} is known in this directory`,
    'see all commands: unstuck history',
  );
}

function limitOf(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit > 0) return limit;
  throw new Failure('bad-input', `--limit is ${JSON.stringify(text)}`, 'give a whole number, such as 20');
}

function columns(): number {
  return process.stdout.isTTY ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY;
}
