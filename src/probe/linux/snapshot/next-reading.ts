import { setImmediate as letOthersRun } from 'node:timers/promises';
import { TableReading } from '../members/table-reading.js';

/** Of many who wait, the last ones do not get what was read long ago. */
const ageMsMax = 500;

type Asker = (reading: TableReading) => void;

let asking: Asker[] = [];
let isGiving = false;

/**
 * What is read after this call, once for all who ask before it is: a hundred trees that are stopped at once take not a
 * hundred times as long. Whoever asks while others are given theirs is of the next round.
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
      // What it does with it is its turn; requests are answered in between.
      await letOthersRun();
    }
  }
  isGiving = false;
}
