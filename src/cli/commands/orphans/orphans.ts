import { findOrphans } from '../../../control/orphans/orphans.js';
import { useColor } from '../../output/color.js';
import { note, printJson, say } from '../../output/print.js';
import type { JsonFlag } from '../../shared/call.js';
import { endWithReader } from '../../shared/end-with-reader.js';
import { fail } from '../../shared/fail.js';
import { nextLines, renderOrphans } from './render.js';
import { noteSetAside, readWhich, type WhichFlags } from './which.js';

async function orphans(flags: WhichFlags & JsonFlag): Promise<void> {
  const which = readWhich(flags);
  const found = await findOrphans({ ...which, onSetAside: noteSetAside });
  if (flags.json) {
    const { watchStatistics } = await import('../../../control/orphans/daemon-orphans.js');
    return printJson({ orphans: found, watch: await watchStatistics() });
  }
  const columns = process.stdout.isTTY ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY;
  for (const line of renderOrphans(found, { columns, color: useColor(), nowMs: Date.now() })) say(line);
  for (const line of nextLines(found, flags.on)) note(line);
}

/** `unstuck orphans`. */
export async function runOrphans(flags: WhichFlags & JsonFlag): Promise<void> {
  endWithReader();
  try {
    await orphans(flags);
  } catch (error) {
    fail(error, flags.json === true);
  }
}
