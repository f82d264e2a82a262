// Bundles src/ into dist/. With --types also the declarations; with --clean nothing of older builds stays.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fingerprint, readStamp, writeStamp } from './build-stamp.mjs';
import { Problem } from './problem.mjs';
import { runMain } from './run-main.mjs';
import { withSetupLock } from './setup-lock.mjs';

const commandLine = { cli: 'src/cli/main.ts', index: 'src/index.ts' };
/** Start-up is part of the product: a file of its own, and one only, for what every run or agent needs. */
const quick = { 'run-main': 'src/cli/run-main.ts', 'mcp-main': 'src/cli/mcp-main.ts' };

/** A long run may still load a chunk of the build it was started from. */
const oldChunkKeptMs = 7 * 24 * 3600 * 1000;

/**
 * The caller holds the set-up lock.
 * @param {string} root
 * @param {{ types?: boolean, clean?: boolean }} [options]
 */
export async function build(root, { types = false, clean = false } = {}) {
  const startedMs = Date.now();
  const inputs = fingerprint(root);
  const dist = join(root, 'dist');
  mkdirSync(dist, { recursive: true });
  for (const name of readdirSync(dist)) {
    if (name.startsWith('.tmp-')) rmSync(join(dist, name), { recursive: true, force: true });
  }
  const temporary = join(dist, `.tmp-${process.pid}`);
  try {
    const files = await bundle(root, temporary);
    const chunks = files.filter((name) => name.includes('/'));
    const entries = files.filter((name) => !name.includes('/'));
    if (types) emitTypes(root, join(temporary, 'types'));
    writeStamp(join(temporary, '.stamp'), { inputs, startedMs, chunks });

    const superseded = readStamp(root)?.chunks ?? [];
    putInPlace(temporary, dist, [...chunks, ...entries]);
    if (types) replace(join(temporary, 'types'), join(dist, 'types'));
    renameSync(join(temporary, '.stamp'), join(dist, '.stamp'));
    dropOldChunks(
      dist,
      superseded.filter((name) => !chunks.includes(name)),
      clean ? startedMs : startedMs - oldChunkKeptMs,
    );
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/**
 * @param {string} root
 * @param {string} outdir
 * @returns {Promise<string[]>} the files written, relative to outdir
 */
async function bundle(root, outdir) {
  const esbuild = await import('esbuild').catch((cause) => {
    throw new Problem(
      `cannot load esbuild: ${cause.message}`,
      'remove the directory node_modules and run ./unstuck again',
    );
  });
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  /** @type {import('esbuild').BuildOptions} */
  const common = {
    absWorkingDir: root,
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    chunkNames: 'chunks/[name]-[hash]',
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    tsconfigRaw: { compilerOptions: { target: 'es2023', verbatimModuleSyntax: true } },
    define: { __UNSTUCK_VERSION__: JSON.stringify(version) },
    alias: { '@modelcontextprotocol/server/_shims': './src/mcp/sdk-shims.ts' },
    logLevel: 'warning',
  };
  /** @param {import('esbuild').BuildOptions} options */
  const run = (options) =>
    esbuild.build({ ...common, external: ['koffi'], ...options, write: false, metafile: true });
  try {
    const apart = Object.keys(quick).map((name) => `./${name}.js`);
    const all = await run({ entryPoints: commandLine, external: ['koffi', ...apart] });
    /** @type {Map<string, string>} */
    const later = new Map();
    const whole = {
      entryPoints: quick,
      splitting: false,
      minifyIdentifiers: true,
      plugins: [loadLater(later)],
    };
    await run(whole);
    const lazy = await run({ entryPoints: [...later.keys()], entryNames: common.chunkNames });
    for (const [file, { entryPoint }] of Object.entries(lazy.metafile.outputs)) {
      if (entryPoint) later.set(resolve(root, entryPoint), `./${relative(outdir, resolve(root, file))}`);
    }
    const first = await run(whole);
    return writeFiles(
      outdir,
      [all, lazy, first].flatMap(({ outputFiles }) => outputFiles),
    );
  } catch (cause) {
    throw new Problem(
      `the build failed: ${/** @type {Error} */ (cause).message.split('\n')[0]}`,
      'correct the source as the lines above say, then run this again',
    );
  }
}

/**
 * What is imported later stays outside of the bundle. The names are those of the built files where they are known;
 * they are made from what is in them, so that a long run never loads a part of another build.
 * @param {Map<string, string>} files built file by source file
 * @returns {import('esbuild').Plugin}
 */
function loadLater(files) {
  return {
    name: 'load-later',
    setup(build) {
      build.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
        if (kind !== 'dynamic-import') return undefined;
        const source = resolve(resolveDir, path.replace(/\.js$/, '.ts'));
        if (!files.has(source)) files.set(source, source);
        return { path: files.get(source), external: true };
      });
    },
  };
}

/**
 * @param {string} outdir
 * @param {import('esbuild').OutputFile[]} built
 */
function writeFiles(outdir, built) {
  /** @type {Set<string>} */
  const files = new Set();
  for (const { path, text } of built) {
    // The same chunk may come twice; its name is made from what is in it.
    const name = relative(outdir, path);
    files.add(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, finish(name, text));
    if (name === 'cli.js') chmodSync(path, 0o755);
  }
  return [...files];
}

/**
 * CommonJS packages inside an ESM bundle call `require` for Node's own modules; only they pay for having one.
 * @param {string} name
 * @param {string} text
 */
function finish(name, text) {
  const body = text.replace(/^#!.*\n/, '');
  const shebang = name === 'cli.js' ? '#!/usr/bin/env node\n' : '';
  // As esbuild says it where there is none; the name of its own function may be shortened.
  const require = body.includes('Dynamic require of')
    ? "import{createRequire as makeRequire}from'node:module';const require=makeRequire(import.meta.url);\n"
    : '';
  return shebang + require + body;
}

/**
 * @param {string} root
 * @param {string} outDir
 */
function emitTypes(root, outDir) {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  try {
    execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', outDir], {
      cwd: root,
      stdio: ['ignore', 2, 2],
    });
  } catch {
    throw new Problem('the type declarations could not be made', 'correct the types as the lines above say');
  }
}

/**
 * Chunks have their checksum in the name, so they never clash with those a running Unstuck uses. They come
 * first, then the entries, each by one rename: whoever starts meanwhile gets the old build or the new, whole.
 * @param {string} temporary
 * @param {string} dist
 * @param {string[]} files
 */
function putInPlace(temporary, dist, files) {
  mkdirSync(join(dist, 'chunks'), { recursive: true });
  for (const name of files) renameSync(join(temporary, name), join(dist, name));
}

/**
 * @param {string} from
 * @param {string} to
 */
function replace(from, to) {
  rmSync(to, { recursive: true, force: true });
  renameSync(from, to);
}

/**
 * A chunk's age counts from the day when a build superseded it; those of the present build are new.
 * @param {string} dist
 * @param {string[]} superseded
 * @param {number} beforeMs
 */
function dropOldChunks(dist, superseded, beforeMs) {
  const now = new Date();
  for (const name of superseded) {
    if (existsSync(join(dist, name))) utimesSync(join(dist, name), now, now);
  }
  for (const name of readdirSync(join(dist, 'chunks'))) {
    const file = join(dist, 'chunks', name);
    if (statSync(file).mtimeMs < beforeMs) rmSync(file, { force: true });
  }
}

await runMain(import.meta, async () => {
  const root = resolve(import.meta.dirname, '..');
  const types = process.argv.includes('--types');
  const clean = process.argv.includes('--clean');
  await withSetupLock(root, () => build(root, { types, clean }));
});
