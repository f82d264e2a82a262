import type { StuckPolicy, ToolPolicy } from '../../../model/tool.js';
import { readDuration } from '../../shared/read-duration.js';

export interface PolicyFlags {
  onStuck: StuckPolicy;
  serverAfter: string;
  sample: string;
}

const dayMs = 24 * 3_600_000;

/** Throws a Failure for an invalid option. */
export function readPolicy({ onStuck, serverAfter, sample }: PolicyFlags): ToolPolicy {
  return {
    onStuck,
    serverAfterMs: readDuration('--server-after', serverAfter, 0, dayMs),
    sampleMs: readDuration('--sample', sample, 100, 60_000),
  };
}
