import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const program = fileURLToPath(new URL('./programs/cli.ts', import.meta.url));
const fakeParts = fileURLToPath(new URL('./programs/fake-parts.ts', import.meta.url));
const repository = fileURLToPath(new URL('../../', import.meta.url));

/** The daemon and its client as the sources have them, with runs and operations that are made for tests. */
export async function buildCli(place: string, version: string): Promise<string> {
  const outdir = join(place, 'dist');
  await build({
    entryPoints: { cli: program },
    outdir,
    bundle: true,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    format: 'esm',
    platform: 'node',
    external: ['koffi'],
    banner: {
      js: "import{createRequire as makeRequire}from'node:module';const require=makeRequire(import.meta.url);",
    },
    define: { __UNSTUCK_VERSION__: JSON.stringify(version) },
    logLevel: 'warning',
    plugins: [
      {
        name: 'fake-parts',
        setup({ onResolve }) {
          onResolve({ filter: /\/daemon\/parts\.js$/ }, () => ({ path: fakeParts }));
        },
      },
    ],
  });
  // Other users may not read the checkout.
  mkdirSync(join(place, 'node_modules'), { recursive: true });
  for (const name of ['koffi', '@koromix']) {
    cpSync(join(repository, 'node_modules', name), join(place, 'node_modules', name), { recursive: true });
  }
  writeFileSync(join(place, 'package.json'), JSON.stringify({ name: 'unstuck', type: 'module' }));
  // By the name that a client uses to start a daemon.
  const cli = join(outdir, 'cli.cjs');
  writeFileSync(cli, "import('./cli.js');\n");
  return cli;
}
