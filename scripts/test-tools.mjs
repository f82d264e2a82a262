// The programs that the tests put into hangs, and what compiles the fixtures. Alone: prints what is missing.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { runMain } from './run-main.mjs';

/** @typedef {{ provides: string, debianPackage: string }} Tool a program, or a file by its whole path */

/** @type {Tool[]} */
const tools = [
  { provides: 'gcc', debianPackage: 'gcc' },
  { provides: 'g++', debianPackage: 'g++' },
  { provides: '/usr/include/stdio.h', debianPackage: 'libc6-dev' },
  { provides: 'python3', debianPackage: 'python3' },
  { provides: 'javac', debianPackage: 'default-jdk-headless' },
  { provides: 'go', debianPackage: 'golang-go' },
  { provides: 'rustc', debianPackage: 'rustc' },
  { provides: 'perl', debianPackage: 'perl' },
  { provides: 'ruby', debianPackage: 'ruby' },
  { provides: 'less', debianPackage: 'less' },
  { provides: 'vi', debianPackage: 'vim' },
  { provides: 'git', debianPackage: 'git' },
  { provides: 'ssh', debianPackage: 'openssh-client' },
  { provides: '/usr/sbin/sshd', debianPackage: 'openssh-server' },
  { provides: 'busybox', debianPackage: 'busybox-static' },
  { provides: 'podman', debianPackage: 'podman' },
  { provides: 'runc', debianPackage: 'runc' },
  { provides: 'sudo', debianPackage: 'sudo' },
  { provides: 'ss', debianPackage: 'iproute2' },
  { provides: 'lsof', debianPackage: 'lsof' },
  { provides: 'ps', debianPackage: 'procps' },
  { provides: 'flock', debianPackage: 'util-linux' },
  { provides: 'setpriv', debianPackage: 'util-linux' },
  { provides: 'script', debianPackage: 'bsdutils' },
  { provides: 'nginx', debianPackage: 'nginx-light' },
  { provides: 'redis-server', debianPackage: 'redis-server' },
  { provides: 'memcached', debianPackage: 'memcached' },
  { provides: 'socat', debianPackage: 'socat' },
  { provides: 'dialog', debianPackage: 'dialog' },
  { provides: 'whiptail', debianPackage: 'whiptail' },
  { provides: 'htop', debianPackage: 'htop' },
  { provides: 'tmux', debianPackage: 'tmux' },
  { provides: 'zsh', debianPackage: 'zsh' },
  { provides: 'nats-server', debianPackage: 'nats-server' },
  { provides: 'openssl', debianPackage: 'openssl' },
  { provides: 'chromium', debianPackage: 'chromium' },
];

export const systemPath = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

const updateMaxMs = 3 * 60 * 1000;
const installMaxMs = 10 * 60 * 1000;
const aptOptions = ['-q', '-y', '-o', 'DPkg::Lock::Timeout=120', '-o', 'Acquire::Retries=2'];

/** @param {string} name */
export function isPresent(name) {
  const directories = name.startsWith('/') ? [''] : [...systemPath, ...(process.env.PATH ?? '').split(':')];
  return directories.some((directory) => {
    try {
      accessSync(join(directory, name), name.startsWith('/') ? constants.R_OK : constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** @param {Tool[]} tools */
function missingOf(tools) {
  return tools.filter(({ provides }) => !isPresent(provides));
}

/** What the tests need. */
export function installTestTools() {
  installTools(tools);
}

/**
 * As root, installs what is missing. Whatever stays missing is only a warning: its tests skip and say why.
 * @param {Tool[]} tools
 */
export function installTools(tools) {
  const missing = missingOf(tools);
  if (missing.length === 0) {
    console.log(`all ${tools.length} are here`);
    return;
  }
  if (process.getuid?.() !== 0) {
    console.log(`missing, tests that need them are skipped: ${describe(missing)}`);
    console.log(`hint: sudo apt-get install ${packagesOf(missing).join(' ')}`);
    return;
  }
  if (!isPresent('apt-get')) {
    console.log(`missing, and there is no apt-get to install them: ${describe(missing)}`);
    return;
  }
  console.log(`installing: ${packagesOf(missing).join(' ')} …`);
  apt(['update'], updateMaxMs);
  // Together it is quickest; one by one, a single package without a candidate does not stop the rest.
  if (!apt(['install', '--no-install-recommends', ...packagesOf(missing)], installMaxMs)) {
    for (const name of packagesOf(missingOf(tools)))
      apt(['install', '--no-install-recommends', name], installMaxMs);
  }
  const still = missingOf(tools);
  if (still.length > 0) console.log(`warning: not installed, their tests are skipped: ${describe(still)}`);
}

/**
 * @param {string[]} args
 * @param {number} timeoutMs
 */
function apt(args, timeoutMs) {
  const { status, stdout, stderr } = spawnSync('apt-get', [...aptOptions, ...args], {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status === 0) return true;
  const lastWords = `${stdout}${stderr}`.trimEnd().split('\n').slice(-5);
  console.log(`warning: apt-get ${args[0]} failed:\n  ${lastWords.join('\n  ')}`);
  return false;
}

/** @param {Tool[]} list */
function describe(list) {
  return list.map(({ provides, debianPackage }) => `${provides} (${debianPackage})`).join(', ');
}

/** @param {Tool[]} list */
function packagesOf(list) {
  return [...new Set(list.map(({ debianPackage }) => debianPackage))];
}

await runMain(import.meta, () => console.log(describe(missingOf(tools)) || 'nothing is missing'));
