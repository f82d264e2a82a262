import type { Capability } from '../../model/capability.js';
import { capabilitiesOfMachine } from './capability-of-machine.js';
import { capabilitiesOfProcesses } from './capability-of-processes.js';
import { capabilitiesByRight, readRights, traceFix } from './capability-rights.js';
import { startSubjects } from './capability-subjects.js';

/** What this machine lets us see, tried on two processes made for it: nothing is taken on trust. */
export async function linuxCapabilities(): Promise<Capability[]> {
  const rights = readRights();
  const fixes = { trace: traceFix(rights), read: 'ask as root: sudo unstuck why PID' };
  const subjects = await startSubjects();
  try {
    return [
      ...capabilitiesOfProcesses(subjects, fixes),
      ...capabilitiesOfMachine(subjects.child),
      ...capabilitiesByRight(rights),
    ];
  } finally {
    await subjects.stop();
  }
}
