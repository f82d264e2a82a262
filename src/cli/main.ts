import { giveBackHeld } from '../config/held-certificates.js';
import { loadBundle } from './load-bundle.js';

const [command, ...words] = process.argv.slice(2);

/**
 * Start-up time matters: `run` precedes other commands, an agent waits for `mcp`, and many commands wait for the
 * daemon. Everything is precompiled CommonJS, because the ES module loader of Node takes longer. Those three have
 * smaller bundles of their own.
 */
async function main(): Promise<void> {
  if (process.platform === 'win32') return refuse();
  giveBackHeld();
  if (command === 'run') {
    const { runDirectly } = loadBundle(__QUICK_BUNDLES__.run) as typeof import('./commands/run/main.js');
    if (await runDirectly(words)) return;
  }
  if (command === 'mcp') {
    const { runMcpDirectly } = loadBundle(__QUICK_BUNDLES__.mcp) as typeof import('./commands/mcp/main.js');
    return runMcpDirectly();
  }
  if (command === 'hook') {
    const { runHookDirectly } = loadBundle(
      __QUICK_BUNDLES__.hook,
    ) as typeof import('./commands/hook/main.js');
    if (await runHookDirectly(words)) return;
  }
  if (command === 'daemon' && words.join(' ') === 'run') {
    const { runDaemonHere } = loadBundle(
      __QUICK_BUNDLES__.daemon,
    ) as typeof import('./commands/daemon/daemon-run.js');
    return runDaemonHere();
  }
  const { buildProgram } = loadBundle(__QUICK_BUNDLES__.program) as typeof import('./program.js');
  await buildProgram().parseAsync();
}

/** Windows has none of what Unstuck reads: /proc, process groups, signals. */
function refuse(): void {
  process.stderr.write('unstuck: Windows is not supported\nhint: use it inside of WSL, which is Linux\n');
  process.exitCode = 125;
}

void main();
