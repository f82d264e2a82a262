import { listHosts } from '../../../control/fleet/list.js';
import { printJson, say } from '../../output/print.js';
import type { JsonFlag } from '../../shared/call.js';
import { fail } from '../../shared/fail.js';
import { hostLines } from './render.js';

/** `unstuck fleet hosts`. */
export async function runHosts(flags: JsonFlag): Promise<void> {
  try {
    const hosts = await listHosts();
    if (flags.json) return printJson({ hosts });
    for (const line of hostLines(hosts)) say(line);
  } catch (error) {
    fail(error, flags.json === true);
  }
}
