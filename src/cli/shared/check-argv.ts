import { argvIsUtf8 } from '../../control/run.js';
import { Failure } from '../../model/failure.js';

/** Refuses rather than runs altered arguments. */
export function checkArgv(words: readonly string[]): void {
  if (!words.some((word) => word.includes('\ufffd')) || argvIsUtf8()) return;
  throw new Failure(
    'bad-input',
    'an argument is not valid UTF-8 and would not reach the command unchanged',
    `produce the bytes in a shell: unstuck run -- sh -c 'command "$(printf "\\377")"'`,
  );
}
