// Writes the man pages of the command line, made from the same tables as its help.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * @param {string} root
 * @param {string} outDir
 */
export async function writeManPages(root, outDir) {
  const { build } = await import('esbuild');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  mkdirSync(outDir, { recursive: true });
  const bundle = join(outDir, 'man-pages.cjs');
  try {
    await build({
      absWorkingDir: root,
      entryPoints: ['src/cli/man-pages.ts'],
      outfile: bundle,
      bundle: true,
      format: 'cjs',
      platform: 'node',
      target: 'node20.19',
      // The actions of the commands are not needed.
      plugins: [
        {
          name: 'names-only',
          setup({ onResolve }) {
            onResolve({ filter: /^\./ }, ({ kind }) =>
              kind === 'dynamic-import' ? { path: 'none', external: true } : undefined,
            );
          },
        },
      ],
      external: ['koffi'],
      define: { __UNSTUCK_VERSION__: JSON.stringify(version), 'import.meta.url': '""' },
      logLevel: 'warning',
    });
    const { manPages } = createRequire(import.meta.url)(bundle);
    for (const [name, text] of manPages()) writeFileSync(join(outDir, name), text);
  } finally {
    rmSync(bundle, { force: true });
  }
}
