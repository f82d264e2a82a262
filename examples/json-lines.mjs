// A stream of JSON lines: only a whole event is a sign of life, not every byte. So the loop itself tells the watchdog.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { watch } from 'unstuck';

const agent = fileURLToPath(new URL('./fake/agent.mjs', import.meta.url));

for (const args of [[agent], [agent, '--hang']]) {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const watchdog = watch(child, { idleTimeoutMs: 6_000, pollIntervalMs: 200 });
  for await (const line of createInterface({ input: child.stdout })) {
    watchdog.activity();
    console.log(JSON.parse(line).type);
  }
  console.log(await watchdog.done.catch((error) => error.name));
}
