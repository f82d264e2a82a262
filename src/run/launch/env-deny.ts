import { Failure } from '../../model/failure.js';
import { fitsGlob } from '../../text/glob.js';

/** A pattern is the name of a variable, with * for any text. The kernel allows every character but `=` and NUL. */
const patternCharsMax = 200;

/** Removes the variables whose whole name matches a pattern, such as `AWS_*`. Case matters. */
export function denyEnv(env: NodeJS.ProcessEnv, patterns: readonly string[]): NodeJS.ProcessEnv {
  for (const pattern of patterns) check(pattern);
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !patterns.some((pattern) => fitsGlob(pattern, name))),
  );
}

function check(pattern: string): void {
  if (pattern !== '' && pattern.length <= patternCharsMax && !/[=\0]/.test(pattern)) return;
  throw new Failure(
    'bad-input',
    pattern === ''
      ? 'a name of a variable is missing'
      : `not the name of a variable: ${pattern.slice(0, 40).replaceAll('\0', '\\0')}`,
    "name a variable to keep from the command, with * for anything: --env-deny 'AWS_*'",
  );
}
