import { randomUUID } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, Problem, tell } from './problem.mjs';

/** @typedef {{ pid: number, startTime: string | undefined, bootId: string | undefined }} Holder */
/** @typedef {(pid: number) => void} AddHolder a child that must have ended too before another may set up */

const pollMs = 100;
const waitMaxMs = 15 * 60 * 1000;
/** Steps that take microseconds; a process that needed longer was killed in the middle of them. */
const crashedAfterMs = 10_000;

/**
 * One set-up at a time in this checkout. The lock is a directory that says who holds it; that of a process
 * which is gone is taken over.
 * @template T
 * @param {string} root
 * @param {(addHolder: AddHolder) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withSetupLock(root, work) {
  const lock = join(root, '.unstuck-setup.lock');
  const holders = [identify(process.pid)];
  await acquire(lock, holders);
  try {
    sweep(lock);
    return await work((pid) => {
      holders.push(identify(pid));
      writeHolders(lock, holders);
    });
  } finally {
    discard(lock);
  }
}

/**
 * A directory is prepared whole and renamed: the kernel refuses when a lock (never empty) is there already.
 * @param {string} lock
 * @param {Holder[]} holders
 */
async function acquire(lock, holders) {
  const mine = `${lock}.${process.pid}.${randomUUID()}`;
  try {
    mkdirSync(mine);
    writeHolders(mine, holders);
    const giveUpAtMs = Date.now() + waitMaxMs;
    for (let waited = false; !tryRename(mine, lock); ) {
      if (isStale(lock)) {
        takeOver(lock);
        continue;
      }
      if (!waited) tell('another set-up is running in this directory: waiting for it …');
      waited = true;
      if (Date.now() > giveUpAtMs) {
        throw new Problem(
          `another set-up has held ${lock} for too long`,
          'stop that process, or remove the directory if there is none, then run this again',
        );
      }
      await sleep(pollMs);
    }
  } catch (error) {
    rmSync(mine, { recursive: true, force: true });
    throw error;
  }
}

/**
 * @param {string} from
 * @param {string} to
 */
function tryRename(from, to) {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST'].includes(codeOf(error))) return false;
    throw error;
  }
}

/**
 * Two may find the same lock stale; the guard makes the second look again, so it never removes the first one's.
 * @param {string} lock
 */
function takeOver(lock) {
  const guard = `${lock}.takeover`;
  try {
    mkdirSync(guard);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    if (ageMs(guard) > crashedAfterMs) rmSync(guard, { recursive: true, force: true });
    return;
  }
  try {
    if (isStale(lock)) discard(lock);
  } finally {
    rmdirSync(guard);
  }
}

/**
 * In one step first, so that no process sees a lock without its holders.
 * @param {string} lock
 */
function discard(lock) {
  const gone = `${lock}.${process.pid}.${randomUUID()}`;
  try {
    renameSync(lock, gone);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  rmSync(gone, { recursive: true, force: true });
}

/**
 * What processes left behind that were killed while they waited.
 * @param {string} lock
 */
function sweep(lock) {
  const prefix = `${basename(lock)}.`;
  for (const name of readdirSync(dirname(lock))) {
    const pid = Number.parseInt(name.slice(prefix.length), 10);
    if (name.startsWith(prefix) && pid > 0 && !isAlive({ pid, startTime: undefined, bootId: undefined })) {
      rmSync(join(dirname(lock), name), { recursive: true, force: true });
    }
  }
}

/** @param {string} lock */
function isStale(lock) {
  try {
    /** @type {Holder[]} */
    const holders = JSON.parse(readFileSync(join(lock, 'holders.json'), 'utf8'));
    return !holders.some(isAlive);
  } catch {
    return ageMs(lock) > crashedAfterMs;
  }
}

/**
 * @param {string} lock
 * @param {Holder[]} holders
 */
function writeHolders(lock, holders) {
  const file = join(lock, 'holders.json');
  writeFileSync(`${file}.new`, JSON.stringify(holders));
  renameSync(`${file}.new`, file);
}

/**
 * @param {number} pid
 * @returns {Holder}
 */
function identify(pid) {
  return { pid, startTime: readStat(pid)?.startTime, bootId: readBootId() };
}

/** @param {Holder} holder */
function isAlive({ pid, startTime, bootId }) {
  if (bootId !== undefined && bootId !== readBootId()) return false;
  const stat = readStat(pid);
  if (stat) return stat.state !== 'Z' && (startTime === undefined || stat.startTime === startTime);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** @param {number} pid */
function readStat(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // proc_pid_stat(5): the name may hold anything, so count from its closing parenthesis; state is 3, start 22.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0], startTime: fields[19] };
  } catch {
    return undefined;
  }
}

function readBootId() {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** @param {string} path */
function ageMs(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? Date.now() - stat.mtimeMs : 0;
}
