import { areOwnWordsWhole } from '../control/run.js';
import { Failure } from '../model/failure.js';

/** Rather not at all than something else than was typed. */
export function checkWords(words: readonly string[], verb: 'run' | 'start'): void {
  if (!words.some((word) => word.includes('\ufffd')) || areOwnWordsWhole()) return;
  throw new Failure(
    'bad-input',
    'an argument has bytes that are no UTF-8, and they would not reach the command as they are',
    `let a shell make them: unstuck ${verb} -- sh -c 'command "$(printf "\\377")"'`,
  );
}
