const [command, ...words] = process.argv.slice(2);

/** Start-up is part of the product (J4): `run` stands before other commands, and an agent waits for `mcp`. */
async function isDoneDirectly(): Promise<boolean> {
  if (command === 'run') {
    const { runDirectly } = await import('./run-main.js');
    return runDirectly(words);
  }
  if (command !== 'mcp') return false;
  const { runMcpDirectly } = await import('./mcp-main.js');
  await runMcpDirectly();
  return true;
}

if (!(await isDoneDirectly())) {
  const { buildProgram } = await import('./program.js');
  await buildProgram().parseAsync();
}
