import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { patienceMs } from './patience.js';

/** Processes with this variable in their environment. */
function markedWith(variable: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(variable);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Kills all processes with this variable: a command outlives its supervisor, and one that prints would fill the disk. */
export async function stopMarked(variable: string): Promise<void> {
  const endMs = performance.now() + patienceMs;
  for (let left = markedWith(variable); left.length > 0; left = markedWith(variable)) {
    for (const pid of left) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    }
    if (performance.now() > endMs) throw new Error(`still there: ${left.join(', ')}`);
    await delay(20);
  }
}
