// A child of node:child_process that may hang. Whatever it prints counts as a sign of life.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { supervise, WatchdogTimeoutError } from 'unstuck';

const agent = fileURLToPath(new URL('./fake/agent.mjs', import.meta.url));

for (const args of [[agent], [agent, '--hang']]) {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdout.resume();
  // Minutes in real life: 180_000 is the default.
  const watchdog = supervise(child, { idleTimeoutMs: 6_000, pollIntervalMs: 200, label: 'agent' });
  try {
    await watchdog.done;
    console.log('finished by itself');
  } catch (error) {
    if (!(error instanceof WatchdogTimeoutError)) throw error;
    console.log(`hung, and was ended with ${error.signal}`);
  }
}
