import { cutBeforeRedact, redactWords } from '../../../redact/redact.js';

const shownCharsMax = 400;

/** What /proc has as cmdline, as it may be shown: secrets masked while the words are known, then short. '' if empty. */
export function maskedArguments(bytes: Buffer): string {
  // Masked text is shorter than it was: more is looked at than shown.
  const text = bytes.toString('utf8', 0, shownCharsMax * 8).replace(/\0+$/, '');
  const words = cutBeforeRedact(text, shownCharsMax * 4).split('\0');
  return redactWords(words, (word) => word).slice(0, shownCharsMax);
}
