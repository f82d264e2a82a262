import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderTable } from '../report.js';
import { ratiosOf, ratioTable } from './ratios.js';
import { readTables } from './read-tables.js';

/** Where the checkout is; bench/launch.mjs puts it in. */
declare const __UNSTUCK_ROOT__: string;

/** All parts of `npm run bench`, shown as they come. Ctrl-C is for whoever measures: it clears up, and then we end. */
async function measure(root: string, args: string[]): Promise<string> {
  for (const interrupting of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(interrupting, () => {});
  const child = spawn(process.execPath, [join(root, 'bench/run.mjs'), ...args], {
    stdio: ['inherit', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    process.stdout.write(chunk);
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  process.exitCode = code === 0 ? 0 : 1;
  return text;
}

/** All speed benchmarks, and at the end one table of ratios. */
async function main(root: string, args: string[]): Promise<void> {
  const [first, ...files] = args;
  const isSaved = first === '--from';
  const markdown = isSaved
    ? files.map((file) => readFileSync(file, 'utf8')).join('\n')
    : await measure(root, args);
  console.log(`\n${renderTable(ratioTable(ratiosOf(readTables(markdown))))}`);
}

await main(__UNSTUCK_ROOT__, process.argv.slice(2));
