import { linuxProbe } from '../../../src/probe/linux/linux-probe.js';
import { portableProbe } from '../../../src/probe/portable/portable-probe.js';
import { probeContract } from '../contract.js';

probeContract(portableProbe, { match: 'uncertain' });
