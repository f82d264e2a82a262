// Keeps the arrows between the layers of src/ pointing down (docs/architecture). Usage: check-layers.mjs [src]
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { layers } from './layers.mjs';
import { runMain } from './run-main.mjs';

const linesMax = 250;
const filesMax = 20;

/** @typedef {{ line: number, specifier: string }} Import */
/** @typedef {{ file: string, layer: string, text: string, imports: Import[] }} Source */

/**
 * @param {string} src the directory src/
 * @returns {{ errors: string[], warnings: string[] }}
 */
export function checkLayers(src) {
  const sources = readSources(src);
  const files = new Set(sources.map(({ file }) => file));
  /** @type {Map<string, string[]>} */
  const graph = new Map();
  /** @type {string[]} */
  const errors = [];
  for (const source of sources) {
    /** @type {string[]} */
    const targets = [];
    for (const found of source.imports) {
      const { target, error } = judgeImport(source, found.specifier, files);
      if (target) targets.push(target);
      if (error) errors.push(`${source.file}:${found.line}: ${error}`);
    }
    graph.set(source.file, targets);
    if (!(source.layer in layers)) {
      errors.push(`${source.file}: '${source.layer}' is not a layer (the table is in scripts/layers.mjs)`);
    }
  }
  errors.push(...findNonExports(sources), ...findCycles(graph), ...findCrowds(sources));
  const warnings = sources
    .map(({ file, text }) => ({ file, lines: text.trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > linesMax)
    .map(({ file, lines }) => `${file}: ${lines} lines: look for the second thing in it (over ${linesMax})`);
  return { errors, warnings };
}

/**
 * @param {Source} source
 * @param {string} specifier
 * @param {Set<string>} files
 * @returns {{ target?: string, error?: string }}
 */
function judgeImport({ file, layer }, specifier, files) {
  if (!specifier.startsWith('.')) {
    if (!layers[layer]?.pure) return {};
    const kind = isBuiltin(specifier) ? 'Node module' : 'package';
    return { error: `${layer} is pure: it may not import the ${kind} '${specifier}'` };
  }
  const path = join('src', dirname(file), specifier);
  if (!path.startsWith('src/')) return { error: `'${specifier}' is outside of src/` };
  const target = path.slice('src/'.length).replace(/\.js$/, '.ts');
  if (!files.has(target)) return { error: `'${specifier}' is not there (imports are written with .js)` };
  const to = layerOf(target);
  if (to === layer) return { target };
  if (layers[to]?.door && target.split('/').length > 2)
    return { target, error: `${to} is imported through the files directly in it, not ('${specifier}')` };
  if (layers[layer]?.may.includes(to)) return { target };
  return { target, error: `${layer} may not import ${to} ('${specifier}')` };
}

/**
 * A folder that a person can take in at a glance.
 * @param {Source[]} sources
 */
function findCrowds(sources) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { file } of sources) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > filesMax)
    .map(([folder, count]) => `${folder}: ${count} files: make rooms in it (over ${filesMax})`);
}

/**
 * The public library has no code of its own.
 * @param {Source[]} sources
 */
function findNonExports(sources) {
  const index = sources.find(({ file }) => file === 'index.ts');
  const rest = withoutComments(index?.text ?? '').replace(
    /^\s*export\s+(?:type\s+)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})\s*from\s*['"][^'"]+['"];?/gm,
    '',
  );
  return rest.trim() === ''
    ? []
    : [`index.ts: only \`export … from\` belongs here, not: ${rest.trim().split('\n')[0]}`];
}

/**
 * Type-only and lazy imports count too: a cycle of any kind means that two files are one thing.
 * @param {Map<string, string[]>} graph
 * @returns {string[]}
 */
function findCycles(graph) {
  /** @type {string[]} */
  const cycles = [];
  const done = new Set();
  /** @type {string[]} */
  const path = [];
  /** @param {string} file */
  const visit = (file) => {
    if (done.has(file)) return;
    const start = path.indexOf(file);
    if (start !== -1) {
      cycles.push(`import cycle: ${[...path.slice(start), file].join(' -> ')}`);
      return;
    }
    path.push(file);
    for (const target of graph.get(file) ?? []) visit(target);
    path.pop();
    done.add(file);
  };
  for (const file of graph.keys()) visit(file);
  return cycles;
}

/**
 * @param {string} src
 * @returns {Source[]}
 */
function readSources(src) {
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && file !== 'globals.d.ts')
    .sort()
    .map((file) => {
      const text = readFileSync(join(src, file), 'utf8');
      return { file, layer: layerOf(file), text, imports: findImports(text) };
    });
}

/** @param {string} file */
function layerOf(file) {
  return /** @type {string} */ (file.split('/')[0]);
}

const importPatterns = [
  // import x from '…', import type { x } from '…', export * from '…': they begin a line, the braces may span several
  /^[ \t]*(?:import|export)\s+(?:type\s+)?[\w$*{][\w$*{},\s]*?\bfrom\s*(['"])(?<specifier>[^'"\n]+)\1/gm,
  // import '…'
  /^[ \t]*import\s*(['"])(?<specifier>[^'"\n]+)\1/gm,
  // await import('…'), typeof import('…'), require('…')
  /\b(?:import|require)\s*\(\s*(['"`])(?<specifier>[^'"`\n]+)\1/g,
];

/**
 * @param {string} text
 * @returns {Import[]}
 */
function findImports(text) {
  const code = withoutComments(text);
  return importPatterns
    .flatMap((pattern) => [...code.matchAll(pattern)])
    .map((match) => ({
      line: code.slice(0, match.index).split('\n').length,
      specifier: /** @type {string} */ (match.groups?.specifier),
    }))
    .sort((a, b) => a.line - b.line);
}

/**
 * Comments that begin a line, or stand alone after a space; lines keep their numbers. Strings are left as they
 * are, so a '//' inside one needs no care as long as it does not follow a space.
 * @param {string} text
 */
function withoutComments(text) {
  return text
    .replace(/^[ \t]*\/\*[\s\S]*?\*\//gm, (comment) => comment.replace(/[^\n]/g, ''))
    .replace(/(^|[ \t])\/\/.*$/gm, '');
}

await runMain(import.meta, () => {
  const { errors, warnings } = checkLayers(resolve(process.argv[2] ?? join(import.meta.dirname, '../src')));
  for (const warning of warnings) console.log(`notice: ${warning}`);
  for (const error of errors) console.log(`error: ${error}`);
  if (errors.length > 0) process.exitCode = 1;
});
