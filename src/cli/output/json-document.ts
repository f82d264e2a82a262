import { jsonText } from '../../text/json-text.js';

/** The version of the form of all JSON answers. Fields may be added without a new one. */
export const version = 1;

/** One JSON answer as a line. `daemon status` has a version of its own: that of the daemon. */
export function jsonDocument(answer: object): string {
  return `${jsonText({ version, ...answer })}\n`;
}
