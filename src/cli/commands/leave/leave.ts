import { leaveFleet } from '../../../control/fleet/join.js';
import { note, printJson } from '../../output/print.js';
import type { JsonFlag } from '../../shared/call.js';
import { fail } from '../../shared/fail.js';

/** `unstuck leave`. */
export async function runLeave(flags: JsonFlag): Promise<void> {
  try {
    const membership = await leaveFleet();
    if (flags.json) return printJson({ left: membership !== null, name: membership?.name ?? null });
    note(
      membership === null ? 'this machine is in no fleet' : `${membership.name} has left ${membership.url}`,
    );
  } catch (error) {
    fail(error, flags.json === true);
  }
}
