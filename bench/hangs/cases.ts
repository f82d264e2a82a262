import { alarms, cancelledAlarms } from './cases/alarms.js';
import { building } from './cases/building.js';
import { computing } from './cases/computing.js';
import { databasePrompts, lateDatabases, silentDatabases } from './cases/database-clients.js';
import { deadlocks, fullPipes, sleepers } from './cases/deadlocks.js';
import { loopsWithNothing, loopsWithTimers } from './cases/event-loops.js';
import { fifosAlone, fifosThatGoOn } from './cases/fifos.js';
import { screensThatAsk, screensThatWork } from './cases/full-screen.js';
import { stoppedJobs, unreaped } from './cases/halted.js';
import { relayedPrompts, relaysThatGoOn, relaysThatHang } from './cases/held-calls.js';
import { hiddenAndStuck, hiddenAtRest } from './cases/hidden.js';
import { closedForGood, openedByOthers } from './cases/hidden-wakers.js';
import { cInsideHealthy, cInsideStuck } from './cases/inside-c.js';
import { goInsideHealthy, goInsideStuck } from './cases/inside-go.js';
import { javaInsideHealthy, javaInsideStuck } from './cases/inside-java.js';
import { pythonInsideHealthy, pythonInsideStuck } from './cases/inside-python.js';
import { tickingHealthy, tickingStuck } from './cases/inside-ticking.js';
import { healthyTools, hungTools } from './cases/living-programs.js';
import { silentPeers } from './cases/peers.js';
import { pipePrompts } from './cases/pipe-prompts.js';
import { idlePools, poolDeadlocks } from './cases/pools.js';
import { idleServers } from './cases/servers.js';
import { services } from './cases/services.js';
import { latePosts, neverPosted } from './cases/shared-semaphores.js';
import { continuedAgain, stoppedForGood } from './cases/stop-and-go.js';
import { terminalPrompts } from './cases/terminal-prompts.js';
import { slowSuites, stuckSuites } from './cases/test-runners.js';
import { heldLocks, sleeping, slowNetwork } from './cases/waiting.js';
import type { HangCase } from './hang-case.js';

/** Every case; the order is that of the tables. */
export const hangCases: HangCase[] = [
  ...terminalPrompts,
  ...screensThatAsk,
  ...pipePrompts,
  ...relayedPrompts,
  ...databasePrompts,
  ...deadlocks,
  ...poolDeadlocks,
  ...cInsideStuck,
  ...goInsideStuck,
  ...javaInsideStuck,
  ...pythonInsideStuck,
  ...tickingStuck,
  ...relaysThatHang,
  ...cancelledAlarms,
  ...fullPipes,
  ...fifosAlone,
  ...sleepers,
  ...stuckSuites,
  ...loopsWithNothing,
  ...neverPosted,
  ...silentPeers,
  ...silentDatabases,
  ...stoppedJobs,
  ...stoppedForGood,
  ...unreaped,
  ...hiddenAndStuck,
  ...hungTools,
  ...closedForGood,
  ...building,
  ...computing,
  ...slowNetwork,
  ...lateDatabases,
  ...services,
  ...screensThatWork,
  ...idleServers,
  ...sleeping,
  ...slowSuites,
  ...loopsWithTimers,
  ...latePosts,
  ...alarms,
  ...relaysThatGoOn,
  ...fifosThatGoOn,
  ...idlePools,
  ...continuedAgain,
  ...cInsideHealthy,
  ...goInsideHealthy,
  ...javaInsideHealthy,
  ...pythonInsideHealthy,
  ...tickingHealthy,
  ...heldLocks,
  ...hiddenAtRest,
  ...healthyTools,
  ...openedByOthers,
];
