// Builds the product, bundles a benchmark and runs it, with the arguments we were given.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build as bundle } from 'esbuild';
import { build } from '../scripts/build.mjs';
import { withSetupLock } from '../scripts/setup-lock.mjs';

const root = resolve(import.meta.dirname, '..');
const cache = join(root, 'node_modules/.cache');

/**
 * The programs of the cases are found beside the files that speak of them, wherever the bundle is.
 * @type {import('esbuild').Plugin}
 */
const keepPlaces = {
  name: 'keep-places',
  setup({ onLoad }) {
    onLoad({ filter: /\/(bench|test)\/.*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(
        'import.meta.url',
        JSON.stringify(pathToFileURL(path).href),
      ),
      loader: 'ts',
    }));
  },
};

/** @param {string} entry such as bench/hangs/main.ts */
export async function launch(entry) {
  const outfile = join(cache, `unstuck-${basename(join(entry, '..'))}-${process.pid}.mjs`);
  await withSetupLock(root, () => build(root));
  mkdirSync(cache, { recursive: true });
  try {
    // The same target as the product, so that what is measured in process is what users get.
    await bundle({
      absWorkingDir: root,
      entryPoints: [entry],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20.19',
      packages: 'external',
      plugins: [keepPlaces],
      define: { __UNSTUCK_VERSION__: '"0.0.0-bench"', __UNSTUCK_ROOT__: JSON.stringify(root) },
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
}
