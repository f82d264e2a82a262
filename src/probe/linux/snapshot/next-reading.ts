import { setImmediate as letOthersRun } from 'node:timers/promises';
import { TableReading } from '../members/table-reading.js';

type Asker = (reading: TableReading) => void;

let asking: Asker[] = [];
let isGiving = false;

/**
 * A reading that starts after this call, shared by all callers until it starts: a thousand trees that are stopped at
 * once do not take a thousand times as long. A call during the delivery of a reading belongs to the next round. The last
 * callers get it as late as the others take, which does not matter: it began after their call. With a limit of its age,
 * a reading that took longer than the limit was made anew for each caller.
 */
export function nextReading(): Promise<TableReading> {
  return new Promise((resolve) => {
    asking.push(resolve);
    if (!isGiving) void giveToAll();
  });
}

async function giveToAll(): Promise<void> {
  isGiving = true;
  await letOthersRun();
  while (asking.length > 0) {
    const round = asking;
    asking = [];
    const reading = new TableReading();
    for (const give of round) {
      give(reading);
      // The work of a caller is its turn; requests are answered in between.
      await letOthersRun();
    }
  }
  isGiving = false;
}
