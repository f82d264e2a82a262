import { linuxProbe } from '../linux/linux-probe.js';
import type { Probe } from '../probe.js';
export const portableProbe: Probe = linuxProbe;
