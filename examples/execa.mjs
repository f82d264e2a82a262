// execa: the watchdog ends the process, and the promise of execa tells how.
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { supervise } from 'unstuck';

const agent = fileURLToPath(new URL('./fake/agent.mjs', import.meta.url));

for (const args of [[agent], [agent, '--hang']]) {
  const subprocess = execa(process.execPath, args, { stdin: 'pipe', reject: false });
  supervise(subprocess, { idleTimeoutMs: 6_000, pollIntervalMs: 200 });
  const { signal, stdout } = await subprocess;
  const lines = stdout.split('\n').length;
  console.log(
    signal === undefined ? `finished after ${lines} lines` : `ended with ${signal} after ${lines} lines`,
  );
}
