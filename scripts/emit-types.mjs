// The declarations of the library: only files that src/index.ts exports from, and plain TypeScript in all of them.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Problem } from './problem.mjs';

/**
 * @param {string} root
 * @param {string} outDir
 */
export function emitTypes(root, outDir) {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  try {
    execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', outDir], {
      cwd: root,
      stdio: ['ignore', 2, 2],
    });
  } catch {
    throw new Problem('the type declarations could not be made', 'correct the types as the lines above say');
  }
  keepOnly(outDir, reachableFrom(join(outDir, 'index.d.ts')));
}

/**
 * A consumer has none of our packages: an import of one would be an error there, or `any`.
 * @param {string} index
 */
function reachableFrom(index) {
  const files = new Set([resolve(index)]);
  for (const file of files) {
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/(?:from |import\()['"]([^'"]+)['"]/g)) {
      if (name.startsWith('.')) files.add(resolve(dirname(file), name.replace(/\.js$/, '.d.ts')));
      else if (!name.startsWith('node:')) throw foreign(file, name);
    }
  }
  return files;
}

/**
 * @param {string} file
 * @param {string} name
 */
function foreign(file, name) {
  return new Problem(
    `the type declarations of the library import ${name} (${file})`,
    'write the exported type in src/model without it, and compare the two in a test',
  );
}

/**
 * @param {string} directory
 * @param {Set<string>} files
 */
function keepOnly(directory, files) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = resolve(directory, entry.name);
    if (!entry.isDirectory()) {
      if (!files.has(path)) rmSync(path);
      continue;
    }
    keepOnly(path, files);
    if (readdirSync(path).length === 0) rmdirSync(path);
  }
}
