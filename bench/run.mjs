// `npm run bench [-- --quick] [-- --save] [-- sampling why start growth run background]`: builds what it measures, then measures.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build as bundle } from 'esbuild';
import { build } from '../scripts/build.mjs';
import { withSetupLock } from '../scripts/setup-lock.mjs';

const root = resolve(import.meta.dirname, '..');
const cache = join(root, 'node_modules/.cache');
const outfile = join(cache, `unstuck-bench-${process.pid}.mjs`);

await withSetupLock(root, () => build(root));
mkdirSync(cache, { recursive: true });
try {
  // The same target as the product, so that what is measured in process is what users get.
  await bundle({
    absWorkingDir: root,
    entryPoints: ['bench/main.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    define: { __UNSTUCK_VERSION__: '"bench"', __UNSTUCK_ROOT__: JSON.stringify(root) },
    logLevel: 'warning',
  });
  // Ctrl-C is for whoever measures, too: it clears up, and then we do.
  for (const interrupting of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(interrupting, () => {});
  const { status, signal } = spawnSync(process.execPath, [outfile, ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  process.exitCode = signal ? 1 : (status ?? 1);
} finally {
  rmSync(outfile, { force: true });
}
