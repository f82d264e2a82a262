import type { Diagnosis, TreeSample } from '../../../src/model/run/health.js';
import { noNorms } from '../../../src/model/run/norms.js';
import type { CrowdMonitor } from '../../../src/registry/monitor/crowd-run.js';
import { Vitals, type VitalsOptions } from '../../../src/run/health/vitals.js';

export interface VitalsAlone extends Pick<VitalsOptions, 'leader' | 'source' | 'thresholds' | 'admit'> {
  canAnswer?: boolean;
  printed?: () => boolean;
  diagnosed?: (diagnosis: Diagnosis, sample: TreeSample) => void;
}

/** A monitor that only samples and judges. */
export function vitalsAlone(options: VitalsAlone): CrowdMonitor {
  const { canAnswer = false, printed = () => false, diagnosed = () => {}, ...rest } = options;
  const vitals = new Vitals({ ...rest, canAnswer, norms: () => noNorms, startedMs: performance.now() });
  let isClosed = false;
  return {
    vitals,
    async tick(asked) {
      const diagnosis = await vitals.tick(printed, asked);
      if (vitals.sample !== null && !isClosed) diagnosed(diagnosis, vitals.sample);
      return diagnosis;
    },
    close() {
      isClosed = true;
      vitals.close();
    },
  };
}
