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
 * `build`: what building needs. `all`: also what tests, benchmarks and checks need (tools/package.json), four times as much.
 * @typedef {'build' | 'all'} Scope
 */

/** @typedef {Record<string, { version?: string, integrity?: string, link?: boolean, optional?: boolean, devOptional?: boolean, dependencies?: object, devDependencies?: object, optionalDependencies?: object }>} Packages */

/**
 * True when node_modules holds what package-lock.json asks for. npm writes its own lock file there last, so an
 * install that was interrupted has none.
 * @param {string} root
 * @param {Scope} scope
 */
export function isInstalled(root, scope) {
  try {
    const wanted = readPackages(join(root, 'package-lock.json'));
    const present = readPackages(join(root, 'node_modules/.package-lock.json'));
    const asWanted = namesIn(wanted, scope).every((path) => {
      const { version, integrity, optional, devOptional } = wanted[path] ?? {};
      const found = present[path];
      if (!found) return optional || devOptional;
      return found.version === version && found.integrity === integrity;
    });
    return asWanted && Object.keys(present).every((path) => path in wanted);
  } catch {
    return false;
  }
}

/**
 * @param {string} file
 * @returns {Packages}
 */
function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}

/**
 * The packages of a scope, by their places in the lock file.
 * @param {Packages} packages
 * @param {Scope} scope
 */
function namesIn(packages, scope) {
  if (scope === 'all') return Object.keys(packages).filter((path) => path.includes('node_modules/'));
  /** @type {Set<string>} */
  const found = new Set();
  const open = [''];
  for (let from = open.pop(); from !== undefined; from = open.pop()) {
    const { dependencies, devDependencies, optionalDependencies } = packages[from] ?? {};
    for (const name of Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
      const path = resolvePackage(packages, from, name);
      if (path === null || found.has(path)) continue;
      found.add(path);
      open.push(path);
    }
  }
  return [...found];
}

/**
 * Where Node finds a package from another one: in its own node_modules, or in those above it. null: left out, as packages for
 * other machines are.
 * @param {Packages} packages
 * @param {string} from
 * @param {string} name
 */
function resolvePackage(packages, from, name) {
  for (let above = from; ; above = above.slice(0, Math.max(0, above.lastIndexOf('/node_modules/')))) {
    const path = `${above === '' ? '' : `${above}/`}node_modules/${name}`;
    if (path in packages) return path;
    if (above === '') return null;
  }
}

/**
 * Installs exactly what the lock file says; npm is only heard when it fails.
 * @param {string} root
 * @param {Scope} scope
 * @param {AbortSignal} signal
 * @param {import('./setup-lock.mjs').AddHolder} addHolder
 */
export async function install(root, scope, signal, addHolder) {
  const startedMs = Date.now();
  const still = setInterval(() => {
    tell(`still installing (${Math.round((Date.now() - startedMs) / 1000)} s) …`);
  }, stillMs);
  try {
    const { exitCode, output } = await runNpmCi(
      root,
      scope === 'all' ? npmArgs : [...npmArgs, '--workspaces=false'],
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
 * @param {string[]} args
 * @param {AbortSignal} signal
 * @param {import('./setup-lock.mjs').AddHolder} addHolder
 * @returns {Promise<{ exitCode: number | null, output: string }>}
 */
function runNpmCi(root, args, signal, addHolder) {
  return new Promise((resolve, reject) => {
    // Its own group, so that what npm started can be stopped with it.
    const npm = spawn('npm', args, { cwd: root, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
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
    hint: 'free some space (300 MB are enough), then run this again',
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
