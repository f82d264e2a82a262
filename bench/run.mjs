// `npm run bench [-- --quick] [-- --save] [-- sampling why start growth]`: builds what it measures, then measures.
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build as bundle } from 'esbuild';
import { build } from '../scripts/build.mjs';
import { withSetupLock } from '../scripts/setup-lock.mjs';

const root = resolve(import.meta.dirname, '..');
const cache = join(root, 'node_modules/.cache');
const outfile = join(cache, `unstuck-bench-${process.pid}.mjs`);

await withSetupLock(root, () => build(root));
mkdirSync(cache, { recursive: true });
try {
  // As the product is built, so that what is measured in process is what users get.
  await bundle({
    absWorkingDir: root,
    entryPoints: ['bench/main.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    define: { __UNSTUCK_VERSION__: '"bench"' },
    logLevel: 'warning',
  });
  const { main } = await import(pathToFileURL(outfile).href);
  await main({ root, args: process.argv.slice(2) });
} finally {
  rmSync(outfile, { force: true });
}
