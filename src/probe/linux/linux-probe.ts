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
