import { loadBundle } from './load-bundle.js';

const [command, ...words] = process.argv.slice(2);

/**
 * Start-up is part of the product (J4): `run` stands before other commands, and an agent waits for `mcp`. This file and
 * those two are CommonJS, since Node's loader of modules takes as long as they do; all others are loaded by it.
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
  const { buildProgram } = await import('./program.js');
  await buildProgram().parseAsync();
}

void main();
