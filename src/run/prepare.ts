import path from 'node:path';
import { cutBeforeRedact, redact, redactWords } from '../redact/redact.js';

/**
 * Prevents known prompts and buffered progress. Values set by the user stay. No variable here gives consent for the
 * user: `npm_config_yes` would agree to installations.
 */
const quietEnv = {
  CI: '1',
  GIT_TERMINAL_PROMPT: '0',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  DEBIAN_FRONTEND: 'noninteractive',
  PYTHONUNBUFFERED: '1',
} as const;

export function commandEnv(env: NodeJS.ProcessEnv, quiet: boolean): NodeJS.ProcessEnv {
  return quiet ? { ...quietEnv, ...env } : env;
}

/** `npm test` becomes `npm-test`: a single word, because heartbeats are split at spaces. */
export function labelOf(command: readonly string[]): string {
  const [program = '', first = ''] = command;
  const name = path.basename(program);
  const label = /^[a-z][\w.:-]{0,23}$/i.test(first) ? `${name}-${first}` : name;
  return label.replace(/[^\w.:@+-]+/g, '-') || 'run';
}

/** The command line as it may be stored and shown: quoted where needed, with secrets masked. */
export function commandLine(command: readonly string[]): string {
  const words = command.slice(0, wordsMax).map((word) => cutBeforeRedact(word, wordCharsMax));
  if (command.length > wordsMax) words.push(`… and ${command.length - wordsMax} more`);
  return redactWords(words, quoted);
}

/** A shell line as it may be stored and shown. */
export function shellLine(line: string): string {
  return redact(cutBeforeRedact(line, lineCharsMax));
}

/** The most arguments of a command line that are shown. */
const wordsMax = 100;
const wordCharsMax = 1000;
const lineCharsMax = 10_000;

function quoted(word: string): string {
  return /^(?:[\w@%+=:,./-]|\*{3})+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

export function logHeader(command: string, cwd: string, startedAt: string): string {
  return `# command: ${command.replaceAll('\n', '\\n')}\n# cwd: ${cwd}\n# started: ${startedAt}\n\n`;
}

export function logFooter(exitCode: number | null, elapsedMs: number, health: string): string {
  return `\n# exit: ${exitCode ?? 'unknown'}\n# elapsed: ${Math.round(elapsedMs)} ms\n# health: ${health}\n`;
}
