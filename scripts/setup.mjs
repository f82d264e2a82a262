// What ./unstuck runs when there is no build yet, or when a source is newer than it.
import { accessSync, constants, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from './build.mjs';
import { fingerprint, readStamp, touchStamp } from './build-stamp.mjs';
import { install, isInstalled } from './install.mjs';
import { Problem, tell } from './problem.mjs';
import { runMain } from './run-main.mjs';
import { withSetupLock } from './setup-lock.mjs';

/**
 * Everything, also what tests and checks need.
 * @param {string} root
 */
export async function ensureInstalled(root) {
  if (isInstalled(root, 'all')) return;
  requireWritable(root);
  await withSetupLock(root, (addHolder) => installIfNeeded(root, 'all', 'first use', addHolder));
}

/** @param {string} root */
async function ensureBuilt(root) {
  const startedMs = Date.now();
  const stamp = join(root, 'dist/.stamp');
  const inputs = fingerprint(root);
  const present = readStamp(root);
  if (present?.hash === inputs.hash) {
    // Only the times differ. Without permission the same check simply comes again next time.
    if (isWritable(stamp)) touchStamp(stamp, inputs, startedMs);
    return;
  }
  if (present && !isWritable(root)) {
    tell('the sources are newer than the build, and this directory is not writable: using the old build');
    return;
  }
  requireWritable(root);
  await withSetupLock(root, async (addHolder) => {
    const now = readStamp(root);
    if (now && now.hash === fingerprint(root).hash) return;
    const reason = now ? 'sources changed' : 'first use';
    // Who has run the tests here keeps their tools.
    const scope = existsSync(join(root, 'node_modules/unstuck-tools')) ? 'all' : 'build';
    await installIfNeeded(root, scope, reason, addHolder);
    tell(`${reason}: building …`);
    await build(root);
    tell(`ready (${((Date.now() - startedMs) / 1000).toFixed(1)} s)`);
  });
}

/** Megabytes in node_modules. */
const sizes = { build: 60, all: 260 };

/**
 * @param {string} root
 * @param {import('./install.mjs').Scope} scope
 * @param {string} reason
 * @param {import('./setup-lock.mjs').AddHolder} addHolder
 */
async function installIfNeeded(root, scope, reason, addHolder) {
  if (isInstalled(root, scope)) return;
  tell(`${reason}: installing packages with npm (this once, about ${sizes[scope]} MB in node_modules) …`);
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
  for (const signal of signals) process.on(signal, interrupt);
  try {
    await install(root, scope, interruption.signal, addHolder);
  } finally {
    for (const signal of signals) process.off(signal, interrupt);
  }
}

/** @param {string} root */
function requireWritable(root) {
  if (isWritable(root) && ['dist', 'node_modules'].every((name) => isWritable(join(root, name), true)))
    return;
  throw new Problem(
    'Unstuck is not built yet, and its directory is not writable',
    'run it once as the owner of that directory, or make your own copy of it, then run this again',
  );
}

/**
 * @param {string} path
 * @param {boolean} [absentIsFine]
 */
function isWritable(path, absentIsFine = false) {
  if (absentIsFine && !existsSync(path)) return true;
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

await runMain(import.meta, () => ensureBuilt(resolve(import.meta.dirname, '..')));
