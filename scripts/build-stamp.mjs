import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';

/** @typedef {{ hash: string, newestMs: number }} Inputs */

/** What a build is made of. The launcher ./unstuck has the same list (a test compares them). */
export const buildInputs = [
  'src',
  'web',
  'scripts/build.mjs',
  'scripts/bundle.mjs',
  'scripts/bundle-web.mjs',
  'scripts/code-cache.mjs',
  'package.json',
  'package-lock.json',
];

/**
 * A checksum over all build inputs, and the newest time among them: times alone lie after a copy or a checkout.
 * @param {string} root
 * @returns {Inputs}
 */
export function fingerprint(root) {
  const hash = createHash('sha256');
  let newestMs = 0;
  /** @param {string} path */
  const add = (path) => {
    const stat = statSync(join(root, path));
    newestMs = Math.max(newestMs, stat.mtimeMs);
    if (stat.isDirectory()) {
      for (const name of readdirSync(join(root, path)).sort()) add(`${path}/${name}`);
    } else {
      hash.update(`${path}\0${stat.size}\0`).update(readFileSync(join(root, path)));
    }
  };
  for (const path of buildInputs) add(path);
  return { hash: hash.digest('hex'), newestMs };
}

/**
 * What the present build was made from and which chunks it has; undefined when there is no complete build.
 * @param {string} root
 */
export function readStamp(root) {
  try {
    statSync(join(root, 'dist/cli.cjs'));
    const [, hash, ...chunks] = readFileSync(join(root, 'dist/.stamp'), 'utf8').trimEnd().split('\n');
    return { hash, chunks };
  } catch {
    return undefined;
  }
}

/**
 * Lines: the node that ./unstuck need not check again, the inputs' checksum, the names of the chunks.
 * @param {string} file
 * @param {{ inputs: Inputs, startedMs: number, chunks: string[] }} build
 */
export function writeStamp(file, { inputs, startedMs, chunks }) {
  writeFileSync(file, `${[checkedNode() ?? '-', inputs.hash, ...chunks].join('\n')}\n`);
  touchStamp(file, inputs, startedMs);
}

/**
 * As old as the start of the build, so that a change made meanwhile counts; but never older than an input
 * from the future (a wrong clock), which would look newer for ever. A millisecond more: times are rounded.
 * @param {string} file
 * @param {Inputs} inputs
 * @param {number} startedMs
 */
export function touchStamp(file, inputs, startedMs) {
  const seconds = Math.max(startedMs, inputs.newestMs + 1) / 1000;
  utimesSync(file, seconds, seconds);
}

/** The `node` on the PATH, if that is the one running now. */
function checkedNode() {
  for (const directory of (process.env.PATH ?? '').split(delimiter)) {
    const file = join(directory, 'node');
    try {
      accessSync(file, constants.X_OK);
      return realpathSync(file) === realpathSync(process.execPath) ? file : undefined;
    } catch {
      // not here: the next directory
    }
  }
  return undefined;
}
