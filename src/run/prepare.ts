import path from 'node:path';
import { cutBeforeRedact, redact, redactWords } from '../redact/redact.js';

/** Prompts are prevented where known, and progress is not held back in a buffer. What the user set stays. Nothing here agrees to
 * anything in the user's name: `npm_config_yes` would consent to installations. */
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

/** `npm test` is `npm-test`: one word, as heartbeats are split at spaces. */
export function labelOf(command: readonly string[]): string {
  const [program = '', first = ''] = command;
  const name = path.basename(program);
  const label = /^[a-z][\w.:-]{0,23}$/i.test(first) ? `${name}-${first}` : name;
  return label.replace(/[^\w.:@+-]+/g, '-') || 'run';
}

/** As it may be stored and shown: words that need quotes have them, secrets are masked. */
export function commandLine(command: readonly string[]): string {
  const words = command.slice(0, wordsMax).map((word) => cutBeforeRedact(word, wordCharsMax));
  if (command.length > wordsMax) words.push(`… and ${command.length - wordsMax} more`);
  return redactWords(words, quoted);
}

/** A line for a shell, the same way. */
export function shellLine(line: string): string {
  return redact(cutBeforeRedact(line, lineCharsMax));
}

/** Nobody reads more of a command line. */
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
