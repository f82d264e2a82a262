import { loadBundle } from './load-bundle.js';

const [command, ...words] = process.argv.slice(2);

/**
 * Start-up is part of the product (J4): `run` stands before other commands, an agent waits for `mcp`, and many a command for the
 * daemon. All of it is CommonJS that was compiled when it was built, since Node's loader of modules takes as long as it does;
 * those three are in bundles of their own, which are smaller.
 */
async function main(): Promise<void> {
  if (command === 'run') {
    const { runDirectly } = loadBundle(__QUICK_BUNDLES__.run) as typeof import('./run-main.js');
    if (await runDirectly(words)) return;
  }
  if (command === 'mcp') {
    const { runMcpDirectly } = loadBundle(__QUICK_BUNDLES__.mcp) as typeof import('./mcp-main.js');
    return runMcpDirectly();
  }
  if (command === 'daemon' && words.join(' ') === 'run') {
    const { runDaemonHere } = loadBundle(__QUICK_BUNDLES__.daemon) as typeof import('./daemon-run.js');
    return runDaemonHere();
  }
  const { buildProgram } = loadBundle(__QUICK_BUNDLES__.program) as typeof import('./program.js');
  await buildProgram().parseAsync();
}

void main();
