import { runsText } from './runs-text.js';
import { sessionText } from './session-text.js';
import { stopText } from './stop-text.js';

/** The script of a session. `mark`: begins the last line of each answer. */
export function sessionScript(mark: string): string {
  const functions = `${stopText}\n${runsText}`;
  return sessionText.replace('@MARK@', mark).replace('@FUNCTIONS@', () => functions);
}
