// What is in dist/: the library as a module, and bundles of their own, CommonJS, for the command line.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { Problem } from './problem.mjs';

const library = 'src/index.ts';
/** Start-up is part of the product: one file, and one only, for what every run or agent needs; the rest comes later. */
const quick = {
  run: 'src/cli/commands/run/main.ts',
  mcp: 'src/cli/commands/mcp/main.ts',
  hook: 'src/cli/commands/hook/main.ts',
};
/** Whole: what they load later shares their state, and they have to know its errors. */
const whole = { daemon: 'src/cli/commands/daemon/daemon-run.ts', program: 'src/cli/program.ts' };
const entry = { cli: 'src/cli/main.ts' };

const chunkNames = 'chunks/[name]-[hash]';

/** @typedef {import('esbuild').BuildOptions} BuildOptions */
/** @typedef {import('esbuild').BuildResult<{ write: false, metafile: true }>} BuildResult */

/**
 * @param {string} root
 * @param {string} outdir
 * @returns {Promise<string[]>} the files written, relative to outdir
 */
export async function bundle(root, outdir) {
  const run = await builder(root, outdir);
  /** @param {BuildResult} built @returns {[source: string, file: string][]} */
  const entries = ({ metafile }) =>
    Object.entries(metafile.outputs).flatMap(([file, { entryPoint }]) =>
      entryPoint ? [[resolve(root, entryPoint), relative(outdir, resolve(root, file))]] : [],
    );
  try {
    /** @type {Map<string, string>} */
    const later = new Map();
    const bundles = { ...commonJs, entryNames: chunkNames };
    const begin = { ...bundles, entryPoints: Object.values(quick), plugins: [loadLater(later)] };
    await run(begin);
    // In one go with the library, so that what both need is there once.
    const shared = await run({ entryPoints: [library, ...later.keys()], entryNames: chunkNames });
    const chunks = new Map(entries(shared));
    // They lie beside those that load them.
    for (const source of later.keys()) later.set(source, `./${relative('chunks', chunks.get(source) ?? '')}`);
    const first = await run(begin);
    const rest = await run({ ...bundles, entryPoints: Object.values(whole) });
    const files = new Map([...entries(first), ...entries(rest)]);
    const names = Object.entries({ ...quick, ...whole }).map(([name, source]) => [
      name,
      files.get(resolve(root, source)),
    ]);
    const cli = await run({
      ...commonJs,
      entryPoints: entry,
      define: { __QUICK_BUNDLES__: JSON.stringify(Object.fromEntries(names)) },
    });
    const index = {
      path: join(outdir, 'index.js'),
      text: `export * from './${chunks.get(resolve(root, library))}';\n`,
    };
    return writeFiles(outdir, [
      index,
      ...[shared, first, rest, cli].flatMap(({ outputFiles }) => outputFiles),
    ]);
  } catch (cause) {
    throw new Problem(
      `the build failed: ${/** @type {Error} */ (cause).message.split('\n')[0]}`,
      'correct the source as the lines above say, then run this again',
    );
  }
}

/** @type {BuildOptions} */
const commonJs = {
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  splitting: false,
  define: { 'import.meta.url': 'urlOfThis' },
};

/**
 * @param {string} root
 * @param {string} outdir
 */
async function builder(root, outdir) {
  const esbuild = await import('esbuild').catch((cause) => {
    throw new Problem(
      `cannot load esbuild: ${cause.message}`,
      'remove the directory node_modules and run ./unstuck again',
    );
  });
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  /** @type {BuildOptions} */
  const common = {
    absWorkingDir: root,
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    chunkNames,
    external: ['koffi'],
    minifyWhitespace: true,
    minifyIdentifiers: true,
    minifySyntax: true,
    legalComments: 'none',
    tsconfigRaw: { compilerOptions: { target: 'es2023', verbatimModuleSyntax: true } },
    alias: { '@modelcontextprotocol/server/_shims': './src/mcp/sdk-shims.ts' },
    logLevel: 'warning',
  };
  /** @param {BuildOptions} options @returns {Promise<BuildResult>} */
  return (options) =>
    esbuild.build({
      ...common,
      ...options,
      define: { __UNSTUCK_VERSION__: JSON.stringify(version), ...options.define },
      write: false,
      metafile: true,
    });
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
 * @param {{ path: string, text: string }[]} built
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
    if (name === 'cli.cjs') chmodSync(path, 0o755);
  }
  return [...files];
}

/** A module of Node that is imported as a whole: esbuild copies every name of it, once for each file that imports it. */
const nodeImport = /(?<![\w$])[\w$]+\(require\("(node:[^"]+)"\)(?:,1)?\)/g;
const fromNode = 'const fromNode=(name,module=require(name))=>({__proto__:module,default:module});\n';

/**
 * CommonJS packages inside an ESM bundle call `require` for Node's own modules, and our own code asks a CommonJS bundle
 * where it is; only they pay for having that.
 * @param {string} name
 * @param {string} text
 */
function finish(name, text) {
  const plain = text.replace(/^#!.*\n/, '');
  const body = name.endsWith('.cjs') ? fromNode + plain.replace(nodeImport, 'fromNode("$1")') : plain;
  // What V8 compiled earlier cannot import: src/cli/load-bundle.ts does that for it.
  const isQuick = name.startsWith('chunks/') && name.endsWith('.cjs');
  const shebang = name === 'cli.cjs' ? '#!/usr/bin/env node\n' : '';
  const url = body.includes('urlOfThis')
    ? "const urlOfThis=()=>require('node:url').pathToFileURL(__filename).href;\n"
    : '';
  // As esbuild says it where there is none; the name of its own function may be shortened.
  const require = body.includes('Dynamic require of')
    ? "import{createRequire as makeRequire}from'node:module';const require=makeRequire(import.meta.url);\n"
    : '';
  const called = body.replaceAll('urlOfThis', 'urlOfThis()');
  if (!isQuick) return shebang + url + require + called;
  return url + require + ascii(called.replaceAll('import("./', 'importLater("./'));
}

/**
 * esbuild leaves other characters in regular expressions as they are. With one of them V8 keeps the whole text with two
 * bytes for each character, as long as the program runs.
 * @param {string} text
 */
function ascii(text) {
  // A pattern means the same with the escape.
  if (/(?<!RegExp\()String\.raw`[^`]*[^\0-\x7f]/.test(text)) {
    throw new Problem('String.raw with other characters than ASCII', 'write it without String.raw');
  }
  return text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
