import { Failure } from '../model/failure.js';
import { fitsGlob } from '../model/glob.js';

/** Which commands a client may start. A guard against mistakes: whoever may start a shell may do anything. */
export interface CommandRules {
  /** With * for anything; empty: all. */
  allow: readonly string[];
  deny: readonly string[];
}

/** What makes one line for the shell more than one command, or something else than what it looks like. */
const shellSyntax = /[;&|<>`$(){}\n\\]/;

/** Throws a Failure for a command that is not to be started. */
export function checkCommand({ allow, deny }: CommandRules, command: string | readonly string[]): void {
  const isLine = typeof command === 'string';
  const line = (isLine ? command : command.join(' ')).trim();
  const parts = isLine ? [line, ...line.split(/[;&|<>`(){}\n]+/).map((part) => part.trim())] : [line];
  const denied = deny.find((pattern) => parts.some((part) => fitsGlob(pattern, part)));
  if (denied !== undefined) throw refusal(`commands like ${JSON.stringify(denied)} are denied here`);
  if (allow.length === 0) return;
  if (isLine && shellSyntax.test(line)) {
    throw new Failure(
      'not-yours',
      'only some commands are allowed here, and a line for the shell may hide others',
      'give the command as a list of words, one command only',
    );
  }
  if (!allow.some((pattern) => fitsGlob(pattern, line))) {
    throw refusal(`only these commands are allowed here: ${allow.join(', ')}`);
  }
}

function refusal(message: string): Failure {
  return new Failure('not-yours', message, 'whoever set up this server decides: unstuck mcp --allow, --deny');
}
