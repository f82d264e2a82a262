import { leaveAtOnce } from '../control/leave.js';

/** Ends this process. Node waits for a write that is stuck in the system, and nobody may ever read it. */
export function endNow(code: number, isBlocked: boolean): void {
  process.exitCode = code;
  if (isBlocked) leaveAtOnce(code);
  process.exit();
}
