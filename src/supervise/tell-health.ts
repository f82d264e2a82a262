import type { Values } from '../config/options.js';
import type { Diagnosis } from '../model/health.js';
import { certainties } from '../model/verdict.js';
import type { Journal } from './journal.js';

/** Tells what has changed since the last diagnosis: a question, another health, or more certainty of a bad one. */
export function tellHealth(journal: Journal, before: Diagnosis | null, diagnosis: Diagnosis): void {
  const { health, confidence, needsAnswer } = diagnosis;
  if (needsAnswer && before?.needsAnswer !== true) journal.tell({ kind: 'needs-input', diagnosis });
  const surer = health !== 'healthy' && confidence !== before?.confidence;
  if (health !== (before?.health ?? 'healthy') || surer) journal.tell({ kind: 'health', diagnosis });
}

/** Why a run is to be stopped that is stuck as surely as `--kill-on` wants it; null: it is not. */
export function reasonToStop(
  { health, confidence, reason }: Diagnosis,
  killOn: Values['killOn'],
): string | null {
  if (killOn === 'never' || health === 'healthy' || health === 'suspicious') return null;
  const isSure = certainties.indexOf(confidence) >= certainties.indexOf(killOn);
  return isSure ? `${reason} (--kill-on ${killOn})` : null;
}
