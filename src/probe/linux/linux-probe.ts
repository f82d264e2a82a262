import fs from 'node:fs';
import type { Probe } from '../probe.js';
import { identify } from './identify.js';
import { takeSnapshots } from './take-snapshots.js';

export const linuxProbe: Probe = {
  name: 'linux',
  snapshot(pid, options = {}) {
    const [snapshot] = takeSnapshots([pid], options);
    return snapshot ?? Promise.reject(new Error('no snapshot'));
  },
  identify,
  async capabilities() {
    const { linuxCapabilities } = await import('./capabilities.js');
    return linuxCapabilities();
  },
};

/** Whether this machine has a /proc that can be read the Linux way. */
export function hasProc(): boolean {
  return process.platform === 'linux' && fs.existsSync('/proc/self/stat');
}
