import type { Values } from '../config/options.js';
import type { Diagnosis } from '../model/health.js';
import { certainties } from '../model/verdict.js';

/** Whether a run is stuck as surely as `--kill-on` wants it. */
export function isReasonToStop({ health, confidence }: Diagnosis, killOn: Values['killOn']): boolean {
  if (killOn === 'never' || health === 'healthy' || health === 'suspicious') return false;
  return certainties.indexOf(confidence) >= certainties.indexOf(killOn);
}
