import { linuxProbe } from '../../../src/probe/linux/linux-probe.js';
import { probeContract } from '../contract.js';

probeContract(linuxProbe, { match: 'same' });
