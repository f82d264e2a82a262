import { hookStatus } from '../../../control/hooks/status.js';
import { printJson, say } from '../../output/print.js';
import { fail } from '../../shared/fail.js';
import { statusLines } from './render.js';

/** `unstuck hook status`. */
export function runHookStatus(flags: { json?: true | undefined }): void {
  try {
    const hooks = hookStatus(process.cwd(), process.env);
    if (flags.json === true) printJson({ hooks });
    else for (const line of statusLines(hooks)) say(line);
  } catch (error) {
    fail(error, flags.json === true);
  }
}
