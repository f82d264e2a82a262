import type { Capability } from '../../../model/facts/capability.js';
import { capabilitiesOfMachine } from './of-machine.js';
import { capabilitiesOfProcesses } from './of-processes.js';
import { capabilitiesByRight, readRights, traceFix } from './rights.js';
import { startSubjects } from './subjects.js';

/** What this machine allows to read, tried on two processes made for it: nothing is assumed. */
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
