import { setImmediate as letOthersRun } from 'node:timers/promises';
import { TableReading } from '../members/table-reading.js';

/** With many waiting callers, the last callers do not get a reading older than this. */
const ageMsMax = 500;

type Asker = (reading: TableReading) => void;

let asking: Asker[] = [];
let isGiving = false;

/**
 * A reading that starts after this call, shared by all callers until it starts: a hundred trees that are stopped at
 * once do not take a hundred times as long. A call during the delivery of a reading belongs to the next round.
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
    let reading = new TableReading();
    for (const give of round) {
      if (reading.ageMs > ageMsMax) reading = new TableReading();
      give(reading);
      // The work of a caller is its turn; requests are answered in between.
      await letOthersRun();
    }
  }
  isGiving = false;
}
