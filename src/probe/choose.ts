import { Failure } from '../model/failure.js';
import { linuxProbe } from './linux/linux-probe.js';
import { hasProc, needProc, needUnix } from './linux/machine/has-proc.js';
import type { Probe } from './probe.js';

export const probeNames = ['linux', 'portable'] as const;

export type ProbeName = (typeof probeNames)[number];

/** The kernel's own files where there is a /proc; `ps` and `lsof` elsewhere, or on request. */
export async function chooseProbe(name?: ProbeName): Promise<Probe> {
  needUnix();
  if (name === 'linux') needProc('the processes of this machine cannot be read');
  if (name === 'linux' && !hasProc()) {
    throw new Failure(
      'unsupported',
      'this system has no /proc',
      'leave out --probe, or use: --probe portable',
    );
  }
  if (name === 'linux' || (name === undefined && hasProc())) return linuxProbe;
  const { portableProbe } = await import('./portable/portable-probe.js');
  return portableProbe;
}
