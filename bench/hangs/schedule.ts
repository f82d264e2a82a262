import type { HangCase } from './hang-case.js';

/** Whoever waits needs hardly any CPU; whoever computes wants a core. */
const waitingAtOnce = 12;
const busyAtOnce = 2;

async function drain<Item>(queue: Item[], work: (item: Item) => Promise<void>): Promise<void> {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) await work(next);
}

/** All of them, several at once where that does not disturb. */
export async function playAll(cases: HangCase[], play: (c: HangCase) => Promise<void>): Promise<void> {
  const busy = cases.filter((c) => c.busy);
  const waiting = cases.filter((c) => !c.busy);
  await Promise.all([
    ...Array.from({ length: busyAtOnce }, () => drain(busy, play)),
    ...Array.from({ length: waitingAtOnce }, () => drain(waiting, play)),
  ]);
}
