import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';

/** The V8 code cache of a bundle; undefined: there is none. */
function readCache(file: string): Buffer | undefined {
  try {
    return fs.readFileSync(file);
  } catch {
    return undefined;
  }
}

/**
 * Loads a precompiled bundle for a quick start (scripts/build.mjs). V8 rejects a cache of another version and compiles
 * anew; the file name ties the cache to this source. Code from the cache cannot import: it calls `importLater` instead. The
 * build leaves nothing but ASCII in a bundle.
 */
export function loadBundle(name: string): unknown {
  const file = path.join(__dirname, name);
  const source = `(function(exports,require,module,__filename,importLater){${fs.readFileSync(file, 'latin1')}\n})`;
  const cachedData = readCache(file.replace(/cjs$/, 'cache'));
  const script = new vm.Script(source, {
    filename: name,
    ...(cachedData !== undefined && { cachedData }),
  });
  const module = { exports: {} };
  const importLater = (other: string) => import(pathToFileURL(path.join(path.dirname(file), other)).href);
  script.runInThisContext()(module.exports, require, module, file, importLater);
  return module.exports;
}
