import { leaveFleet } from '../../../control/fleet/join.js';
import { note, printJson } from '../../output/print.js';
import type { JsonFlag } from '../../shared/call.js';
import { fail } from '../../shared/fail.js';

/** `unstuck leave`. */
export async function runLeave(flags: JsonFlag): Promise<void> {
  try {
    const { membership, removed } = await leaveFleet();
    if (flags.json) {
      return printJson({
        left: membership !== null,
        name: membership?.name ?? null,
        ...(removed !== null && { removed: removed.file }),
      });
    }
    if (removed !== null) note(removedWords(removed));
    else if (membership === null) note('this machine is in no fleet');
    else note(`${membership.name} has left ${membership.url}`);
  } catch (error) {
    fail(error, flags.json === true);
  }
}

const removedWords = ({ file, reason }: { file: string; reason: string }) =>
  `${file} ${reason === 'it is damaged' ? 'was damaged' : `could not be used (${reason})`} and is removed; see whether other machines still list this one: UNSTUCK_FLEET_URL=nats://SERVER unstuck fleet hosts`;
