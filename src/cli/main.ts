const [command, ...words] = process.argv.slice(2);

/** Start-up is part of the product (J4), and `run` is the command that stands before others. */
async function isRun(): Promise<boolean> {
  if (command !== 'run') return false;
  const { runDirectly } = await import('./run-main.js');
  return runDirectly(words);
}

if (!(await isRun())) {
  const { buildProgram } = await import('./program.js');
  await buildProgram().parseAsync();
}
