import type { RunSettings } from '../../config/run-settings.js';
import { knownValue } from '../../model/facts/reading.js';
import type { Receipt } from '../../model/run/receipt.js';
import { MemberScan } from '../../probe/members.js';
import { bootId } from '../../probe/processes.js';
import { terminate } from '../../run/stop/terminate.js';
import type { RunDirectory } from '../../store/run-directory.js';
import type { Ended } from './end-monitor.js';
import { graceLeftMs, noteAsked, readKillOrder, writeKillOrder } from './kill-order.js';

/** Stops what outlived a command; null: nothing can be left, because it never ran or the machine was restarted. */
export async function stopLeftovers(
  runId: string,
  { leader, shim }: Ended,
  graceMs: number,
  asked: () => void = () => {},
): Promise<Receipt | null> {
  if (leader === null || leader.bootId !== bootId()) return null;
  const scan = new MemberScan({ runId, leader, shim: shim?.pid ?? null });
  return terminate({ scan, signal: 'SIGTERM', graceMs, onSignal: asked });
}

export interface EndedRun {
  id: string;
  directory: RunDirectory;
  settings: RunSettings;
}

/**
 * After the end of a run: stops what should be stopped and is not yet, perhaps because an earlier daemon was killed.
 */
export async function stopUnwanted({ id, directory, settings }: EndedRun, standing: Ended): Promise<void> {
  const order = knownValue(readKillOrder(directory), 'whether it is to be stopped');
  const isOrdered = order !== null && order.receipt === null;
  if (!isOrdered && settings.leftovers !== 'kill') return;
  if (!isOrdered) {
    await stopLeftovers(id, standing, settings.graceMs);
    return;
  }
  let noted = order;
  const receipt = await stopLeftovers(id, standing, graceLeftMs(order), () => {
    noted = noteAsked(directory, noted);
  });
  writeKillOrder(directory, { ...noted, receipt });
}
