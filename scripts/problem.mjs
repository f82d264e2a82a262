/** Expected trouble: what went wrong, and what the person at the keyboard can do about it. */
export class Problem extends Error {
  /**
   * @param {string} message
   * @param {string} hint
   * @param {number} [exitCode] 125 as everywhere in Unstuck: Unstuck itself failed
   */
  constructor(message, hint, exitCode = 125) {
    super(message);
    this.hint = hint;
    this.exitCode = exitCode;
  }
}

/**
 * Progress goes to stderr, one short line each.
 * @param {string} line
 */
export function tell(line) {
  process.stderr.write(`unstuck: ${line}\n`);
}

/**
 * @param {unknown} error
 * @returns {string} '' when it has none
 */
export function codeOf(error) {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
