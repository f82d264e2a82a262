// Watches a process that may not be signalled, and prints how that ended.
import { watch } from '../../src/control/watchdog/watch.js';
import type { WatchdogTimeoutError } from '../../src/model/watchdog.js';

const watchdog = watch(Number(process.argv[2]), { pollIntervalMs: 50, idleTimeoutMs: 200, graceMs: 100 });
const before = watchdog.state.phase;
const { name, signal, isGone, message } = (await watchdog.done.catch(
  (error) => error,
)) as WatchdogTimeoutError;
console.log(JSON.stringify({ before, name, signal, isGone, message }));
