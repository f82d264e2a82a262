import type { OperationOutput } from '../../control/operations/table.js';
import { exitWords } from '../../model/exit-words.js';
import type { Receipt } from '../../model/receipt.js';
import { receiptWords } from '../render-run-event.js';
import { shortId } from './short-id.js';

/** What became of it, in one line. */
export function killLine({ id, status, exit, receipt }: OperationOutput<'kill'>): string {
  const name = shortId(id);
  const how = exit === undefined ? '' : ` (${exitWords(exit)})`;
  if (receipt === null) {
    return status === 'killed' ? `${name} killed${how}` : `${name} had ended before${how}`;
  }
  return `${name} ${status === 'killed' ? 'killed' : 'had ended before'}${how}: ${receiptWords(receipt as Receipt)}`;
}
