import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { patienceMs } from './patience.js';

/** Removes a directory in which a process may still write: rmSync alone does not remove what is new, however often it tries. */
export async function removeDirectory(path: string): Promise<void> {
  const endMs = performance.now() + patienceMs;
  for (;;) {
    try {
      rmSync(path, { recursive: true, force: true });
      return;
    } catch (error) {
      if (performance.now() > endMs) throw error;
      await delay(50);
    }
  }
}
