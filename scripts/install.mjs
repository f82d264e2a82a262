import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem, tell } from './problem.mjs';

const installMaxMs = 10 * 60 * 1000;
const stillMs = 20_000;
const shownLinesMax = 20;

const npmArgs = [
  'ci',
  '--no-audit',
  '--no-fund',
  '--no-progress',
  // Building needs the development packages even where NODE_ENV=production or an npmrc leaves them out.
  '--include=dev',
  '--prefer-offline',
  // Without a network npm's own patience is over a minute.
  '--fetch-retries=2',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=4000',
];

/**
 * True when node_modules holds what package-lock.json asks for. npm writes its own lock file there last, so an
 * install that was interrupted has none.
 * @param {string} root
 */
export function isInstalled(root) {
  try {
    const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
    const present = JSON.parse(readFileSync(join(root, 'node_modules/.package-lock.json'), 'utf8')).packages;
    const asWanted = Object.entries(wanted).every(([path, { version, integrity, optional, devOptional }]) => {
      const found = present[path];
      if (!found) return path === '' || optional || devOptional;
      return found.version === version && found.integrity === integrity;
    });
    return asWanted && Object.keys(present).every((path) => path in wanted);
  } catch {
    return false;
  }
}

/**
 * Installs exactly what the lock file says; npm is only heard when it fails.
 * @param {string} root
 * @param {AbortSignal} signal
 * @param {import('./setup-lock.mjs').AddHolder} addHolder
 */
export async function install(root, signal, addHolder) {
  const startedMs = Date.now();
  const still = setInterval(() => {
    tell(`still installing (${Math.round((Date.now() - startedMs) / 1000)} s) …`);
  }, stillMs);
  try {
    const { exitCode, output } = await runNpmCi(
      root,
      AbortSignal.any([signal, AbortSignal.timeout(installMaxMs)]),
      addHolder,
    );
    if (signal.aborted) throw new Problem('interrupted', 'run this again: the set-up starts over', 130);
    if (exitCode !== 0) throw explain(output);
  } finally {
    clearInterval(still);
  }
}

/**
 * @param {string} root
 * @param {AbortSignal} signal
 * @param {import('./setup-lock.mjs').AddHolder} addHolder
 * @returns {Promise<{ exitCode: number | null, output: string }>}
 */
function runNpmCi(root, signal, addHolder) {
  return new Promise((resolve, reject) => {
    // Its own group, so that what npm started can be stopped with it.
    const npm = spawn('npm', npmArgs, { cwd: root, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [npm.stdout, npm.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output = (output + text).slice(-100_000);
      });
    }
    const stop = () => npm.pid && process.kill(-npm.pid, 'SIGKILL');
    npm.once('spawn', () => {
      if (npm.pid) addHolder(npm.pid);
      if (signal.aborted) stop();
      signal.addEventListener('abort', stop, { once: true });
    });
    npm.once('error', () => {
      reject(
        new Problem(
          'npm was not found on the PATH',
          'install npm 10 or newer (it comes with Node.js), then run this again',
        ),
      );
    });
    npm.once('exit', () => signal.removeEventListener('abort', stop));
    npm.once('close', (exitCode) => resolve({ exitCode, output }));
  });
}

const causes = [
  {
    pattern:
      /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|SOCKET_TIMEOUT|network/,
    message: 'the packages could not be downloaded: the npm registry is out of reach',
    hint: 'connect to the network (or set a proxy: npm config set proxy …), then run this again',
  },
  {
    pattern: /ENOSPC/,
    message: 'the packages could not be installed: the disk is full',
    hint: 'free some space (200 MB are needed), then run this again',
  },
  {
    pattern: /EACCES|EPERM|EROFS/,
    message: 'the packages could not be installed: no permission to write',
    hint: 'make this directory and everything in it (node_modules too) your own, then run this again',
  },
];

/** @param {string} output */
function explain(output) {
  const lines = output.trimEnd().split('\n').slice(-shownLinesMax);
  process.stderr.write(`${lines.map((line) => `  ${line}`).join('\n')}\n`);
  const cause = causes.find(({ pattern }) => pattern.test(output));
  return new Problem(
    cause?.message ?? 'npm ci failed (its last words are above)',
    cause?.hint ?? 'remove the directory node_modules and run this again',
  );
}
