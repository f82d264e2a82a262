import { alarms, cancelledAlarms } from './cases/alarms.js';
import { building } from './cases/building.js';
import { computing } from './cases/computing.js';
import { databasePrompts, lateDatabases, silentDatabases } from './cases/database-clients.js';
import { deadlocks, fullPipes, sleepers } from './cases/deadlocks.js';
import { loopsWithNothing, loopsWithTimers } from './cases/event-loops.js';
import { fifosAlone, fifosThatGoOn } from './cases/fifos.js';
import { stoppedJobs, unreaped } from './cases/halted.js';
import { relayedPrompts, relaysThatGoOn, relaysThatHang } from './cases/held-calls.js';
import { hiddenAndStuck, hiddenAtRest } from './cases/hidden.js';
import { healthyTools, hungTools } from './cases/living-programs.js';
import { silentPeers } from './cases/peers.js';
import { pipePrompts } from './cases/pipe-prompts.js';
import { idlePools, poolDeadlocks } from './cases/pools.js';
import { idleServers } from './cases/servers.js';
import { services } from './cases/services.js';
import { latePosts, neverPosted } from './cases/shared-semaphores.js';
import { continuedAgain, stoppedForGood } from './cases/stop-and-go.js';
import { terminalPrompts } from './cases/terminal-prompts.js';
import { heldLocks, sleeping, slowNetwork } from './cases/waiting.js';
import type { HangCase } from './hang-case.js';

/** Every case; the order is that of the tables. */
export const hangCases: HangCase[] = [
  ...terminalPrompts,
  ...pipePrompts,
  ...relayedPrompts,
  ...databasePrompts,
  ...deadlocks,
  ...poolDeadlocks,
  ...relaysThatHang,
  ...cancelledAlarms,
  ...fullPipes,
  ...fifosAlone,
  ...sleepers,
  ...loopsWithNothing,
  ...neverPosted,
  ...silentPeers,
  ...silentDatabases,
  ...stoppedJobs,
  ...stoppedForGood,
  ...unreaped,
  ...hiddenAndStuck,
  ...hungTools,
  ...building,
  ...computing,
  ...slowNetwork,
  ...lateDatabases,
  ...services,
  ...idleServers,
  ...sleeping,
  ...loopsWithTimers,
  ...latePosts,
  ...alarms,
  ...relaysThatGoOn,
  ...fifosThatGoOn,
  ...idlePools,
  ...continuedAgain,
  ...heldLocks,
  ...hiddenAtRest,
  ...healthyTools,
];
