import { cutBeforeRedact, redactWords } from '../../../redact/redact.js';

const shownCharsMax = 400;

/**
 * The cmdline of /proc in a form that may be shown: secrets are masked while the arguments are separate, then it is
 * cut. '' if empty.
 */
export function maskedArguments(bytes: Buffer): string {
  // Masked text is shorter than the original: more is read than shown.
  const text = bytes.toString('utf8', 0, shownCharsMax * 8).replace(/\0+$/, '');
  const words = cutBeforeRedact(text, shownCharsMax * 4).split('\0');
  return redactWords(words, (word) => word).slice(0, shownCharsMax);
}
