import fs from 'node:fs';
import path from 'node:path';
import { callerOpenFiles } from '../../control/caller-limit.js';
import type { OperationOutput } from '../../control/operations/table.js';
import { ownUmask } from '../../control/own-umask.js';
import { Failure } from '../../model/failure.js';
import { printable } from '../../model/printable.js';
import { type Call, withDaemon } from './call.js';
import { note, printJson, say } from './print.js';
import { shortId } from './short-id.js';
import { type StartContext, type StartFlags, startInput } from './start-input.js';

/** What it is called among all that are there. */
function nameNow({ id, log }: OperationOutput<'start'>): string {
  try {
    return shortId(id, fs.readdirSync(path.dirname(path.dirname(log))));
  } catch {
    return shortId(id);
  }
}

/** The lines besides the id: who it is, and what to type next; `tells`: it was asked for notices. */
export function startedLines(output: OperationOutput<'start'>, name: string, tells = false): string[] {
  const { label, pid, status } = output;
  const who = `${printable(label)}${pid === null ? '' : `, pid ${pid}`}`;
  if (status !== 'running') {
    return [
      `started ${who}; it has ended`,
      `next: unstuck poll ${name}    how it ended, and what it printed`,
    ];
  }
  return [
    `started ${who}`,
    `next: unstuck log ${name} -f    its output as it comes`,
    `      unstuck wait ${name}      until it ends, needs input or is stuck`,
    ...(tells
      ? [`      unstuck notices -f${' '.repeat(name.length + 1)}what runs have to tell, as it comes`]
      : []),
  ];
}

export async function start(
  call: Call,
  words: readonly string[],
  flags: StartFlags,
  context: StartContext,
): Promise<void> {
  const input = startInput(words, flags, context);
  if (words.some((word) => word.includes('\ufffd'))) {
    const { checkWords } = await import('../check-words.js');
    checkWords(words, 'start');
  }
  const output = await call('start', input);
  if (flags.json) return printJson(output);
  say(output.id);
  for (const warning of output.warnings) note(`warning: ${printable(warning)}`);
  for (const line of startedLines(output, nameNow(output), input.notify !== undefined)) note(line);
}

function ownDirectory(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new Failure('cannot-read', 'the current directory does not exist any more', 'cd to another one', {
      cause,
    });
  }
}

/** `unstuck start`. */
export const runStart = (words: readonly string[], flags: StartFlags, options: Record<string, unknown>) =>
  withDaemon(flags, (call) =>
    start(call, words, flags, {
      cwd: ownDirectory(),
      env: process.env,
      umask: ownUmask(),
      openFiles: callerOpenFiles(),
      options,
    }),
  );
