import type { OperationOutput } from '../../../control/operations/table.js';
import type { Receipt } from '../../../model/run/receipt.js';
import { exitWords } from '../../../model/run/run.js';
import { labelledName } from '../../shared/short-id.js';
import { formatReceipt } from '../run/render-run-event.js';

/** The result of a kill in one line. */
export function killLine({
  id,
  label,
  status,
  exit,
  receipt,
}: OperationOutput<'killAll'>['runs'][number]): string {
  const name = labelledName(label, id);
  const how = exit === undefined ? '' : ` (${exitWords(exit)})`;
  if (receipt === null) {
    return status === 'killed' ? `${name} killed${how}` : `${name} had already ended${how}`;
  }
  return `${name} ${status === 'killed' ? 'killed' : 'had already ended'}${how}: ${formatReceipt(receipt as Receipt)}`;
}
