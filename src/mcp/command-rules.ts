import { Failure } from '../model/failure.js';
import { fitsGlob } from '../text/glob.js';

/** Which commands a client may start. This guards against mistakes and is no sandbox: a shell can start anything. */
export interface CommandRules {
  /** Globs with *; empty: all are allowed. */
  allow: readonly string[];
  deny: readonly string[];
}

/** Characters that can make a shell line more than one command. */
const shellSyntax = /[;&|<>`$(){}\n\\]/;

/** Throws a Failure for a command that is not allowed. */
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
      'only some commands are allowed here, and this shell line may contain others',
      'give one command as a list: ["program", "argument", …]',
    );
  }
  if (!allow.some((pattern) => fitsGlob(pattern, line))) {
    throw refusal(`only these commands are allowed here: ${allow.join(', ')}`);
  }
}

function refusal(message: string): Failure {
  return new Failure(
    'not-yours',
    message,
    'allowed commands are set when the server is started: unstuck mcp --allow, --deny',
  );
}
