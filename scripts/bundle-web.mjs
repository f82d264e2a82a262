// The page of the dashboard, web/, as files that a browser loads. Names have the checksum of their content.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { Problem } from './problem.mjs';

/**
 * @param {string} root
 * @param {string} outdir
 */
export async function bundleWeb(root, outdir) {
  const esbuild = await import('esbuild');
  mkdirSync(outdir, { recursive: true });
  try {
    const { metafile } = await esbuild.build({
      absWorkingDir: root,
      outdir,
      entryPoints: { main: 'web/main.tsx', style: 'web/style.css' },
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'browser',
      target: ['chrome109', 'firefox110', 'safari16'],
      entryNames: '[name]-[hash]',
      chunkNames: '[name]-[hash]',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      minify: true,
      legalComments: 'none',
      tsconfigRaw: { compilerOptions: { target: 'es2022', verbatimModuleSyntax: true } },
      logLevel: 'warning',
      metafile: true,
    });
    /** @param {string} source */
    const builtFrom = (source) => {
      const [file] =
        Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === source) ?? [];
      return relative(outdir, resolve(root, file ?? ''));
    };
    const icon = readFileSync(join(root, 'web/icon.svg'));
    const iconName = `icon-${createHash('sha256').update(icon).digest('hex').slice(0, 8).toUpperCase()}.svg`;
    writeFileSync(join(outdir, iconName), icon);
    const page = readFileSync(join(root, 'web/index.html'), 'utf8')
      .replace('style.css', builtFrom('web/style.css'))
      .replace('main.js', builtFrom('web/main.tsx'))
      .replace('icon.svg', iconName);
    writeFileSync(join(outdir, 'index.html'), page);
  } catch (cause) {
    throw new Problem(
      `the build of the dashboard failed: ${/** @type {Error} */ (cause).message.split('\n')[0]}`,
      'correct the source as the lines above say, then run this again',
    );
  }
}
