// Bundles src/ into dist/. With --types also the declarations and the man pages; with --clean nothing of older builds stays.
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fingerprint, readStamp, writeStamp } from './build-stamp.mjs';
import { bundle } from './bundle.mjs';
import { bundleWeb } from './bundle-web.mjs';
import { makeCodeCaches } from './code-cache.mjs';
import { emitTypes } from './emit-types.mjs';
import { writeManPages } from './man-pages.mjs';
import { runMain } from './run-main.mjs';
import { withSetupLock } from './setup-lock.mjs';

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
    await bundleWeb(root, join(temporary, 'web'));
    files.push(...makeCodeCaches(temporary, files));
    const chunks = files.filter((name) => name.includes('/'));
    const entries = files.filter((name) => !name.includes('/'));
    if (types) {
      emitTypes(root, join(temporary, 'types'));
      await writeManPages(root, join(temporary, 'man'));
    }
    writeStamp(join(temporary, '.stamp'), { inputs, startedMs, chunks });

    const superseded = readStamp(root)?.chunks ?? [];
    putInPlace(temporary, dist, [...chunks, ...entries]);
    // A dashboard that runs has read its files at its start.
    replace(join(temporary, 'web'), join(dist, 'web'));
    if (types) {
      for (const name of ['types', 'man']) replace(join(temporary, name), join(dist, name));
    }
    renameSync(join(temporary, '.stamp'), join(dist, '.stamp'));
    const old = readdirSync(join(dist, 'chunks'))
      .map((name) => `chunks/${name}`)
      .filter((name) => !chunks.includes(name));
    if (clean) for (const name of old) rmSync(join(dist, name), { force: true });
    else dropOldChunks(dist, old, superseded, startedMs - oldChunkKeptMs);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/**
 * Chunks have their checksum in the name, so they never clash with those a running Unstuck uses. They come
 * first, then the entries, each by one rename: a process that starts meanwhile gets the old build or the new, whole.
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
 * A chunk's age counts from the day when a build superseded it.
 * @param {string} dist
 * @param {string[]} old
 * @param {string[]} superseded
 * @param {number} beforeMs
 */
function dropOldChunks(dist, old, superseded, beforeMs) {
  const now = new Date();
  for (const name of old) {
    const file = join(dist, name);
    if (superseded.includes(name)) utimesSync(file, now, now);
    else if (statSync(file).mtimeMs < beforeMs) rmSync(file, { force: true });
  }
}

await runMain(import.meta, async () => {
  const root = resolve(import.meta.dirname, '..');
  const types = process.argv.includes('--types');
  const clean = process.argv.includes('--clean');
  await withSetupLock(root, () => build(root, { types, clean }));
});
