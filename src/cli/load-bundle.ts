import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';

/** What V8 made of a bundle when it was built; undefined: nothing is kept. */
function readCache(file: string): Buffer | undefined {
  try {
    return fs.readFileSync(file);
  } catch {
    return undefined;
  }
}

/**
 * Loads one of the bundles that were made for a quick start (scripts/build.mjs), compiled already. V8 itself refuses what
 * another version of it has compiled, and compiles anew; that it belongs to this text is certain by its name. What was
 * compiled earlier cannot import any more: it calls `importLater` instead.
 */
export function loadBundle(name: string): unknown {
  const file = path.join(__dirname, name);
  const source = `(function(exports,require,module,__filename,importLater){${fs.readFileSync(file, 'utf8')}\n})`;
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
