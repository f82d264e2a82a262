import type { Probe } from '../probe.js';
import { identify } from './identity/identify.js';
import { takeSnapshots } from './snapshot/take-snapshots.js';

export const linuxProbe: Probe = {
  name: 'linux',
  snapshot(pid, options = {}) {
    const [snapshot] = takeSnapshots([pid], options);
    return snapshot ?? Promise.reject(new Error('no snapshot'));
  },
  identify,
  async capabilities() {
    const { linuxCapabilities } = await import('./doctor/capabilities.js');
    return linuxCapabilities();
  },
};
