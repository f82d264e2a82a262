import { building } from './cases/building.js';
import { computing } from './cases/computing.js';
import { deadlocks, fullPipes, sleepers } from './cases/deadlocks.js';
import { stoppedJobs, unreaped } from './cases/halted.js';
import { hiddenAndStuck, hiddenAtRest } from './cases/hidden.js';
import { silentPeers } from './cases/peers.js';
import { pipePrompts } from './cases/pipe-prompts.js';
import { services } from './cases/services.js';
import { terminalPrompts } from './cases/terminal-prompts.js';
import { heldLocks, sleeping, slowNetwork } from './cases/waiting.js';
import type { HangCase } from './hang-case.js';

/** Every case; the order is that of the tables. */
export const hangCases: HangCase[] = [
  ...terminalPrompts,
  ...pipePrompts,
  ...deadlocks,
  ...fullPipes,
  ...sleepers,
  ...silentPeers,
  ...stoppedJobs,
  ...unreaped,
  ...hiddenAndStuck,
  ...building,
  ...computing,
  ...slowNetwork,
  ...services,
  ...sleeping,
  ...heldLocks,
  ...hiddenAtRest,
];
