import type { Receipt } from '../../model/receipt.js';
import { bootId } from '../../probe/linux/identify.js';
import { MemberScan } from '../../probe/linux/members.js';
import { terminate } from '../terminate/terminate.js';
import type { Ended } from './end-watch.js';

/** Stops what outlived a command; null: there can be nothing, as it never ran or the machine was restarted. */
export async function stopLeftovers(
  runId: string,
  { leader, keeper }: Ended,
  graceMs: number,
): Promise<Receipt | null> {
  if (leader === null || leader.bootId !== bootId()) return null;
  const scan = new MemberScan({ runId, leader, keeper: keeper?.pid ?? null });
  return terminate({ scan, signal: 'SIGTERM', graceMs });
}
