import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** What was told to end when the tests ended gets this long to do so. */
const patienceMs = 3000;
const pollMs = 50;

/**
 * Processes that still have the tests' session in their environment, as lines for a person. They are killed.
 * @param {string} session
 * @returns {Promise<string[]>}
 */
export async function findSurvivors(session) {
  const giveUpAtMs = Date.now() + patienceMs;
  let pids = membersOf(session);
  while (pids.length > 0 && Date.now() < giveUpAtMs) {
    await sleep(pollMs);
    pids = membersOf(session);
  }
  const lines = pids.map((pid) => `${pid} ${commandOf(pid)}`);
  // The random session in its environment makes it ours; it was read a moment ago.
  for (const pid of pids) killIfThere(pid);
  return lines;
}

/** @param {string} session */
function membersOf(session) {
  const marker = `UNSTUCK_TEST_SESSION=${session}`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && readOrEmpty(`/proc/${pid}/environ`).split('\0').includes(marker));
}

/** @param {number} pid */
function commandOf(pid) {
  return readOrEmpty(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim() || '(no command line)';
}

/** @param {string} file */
function readOrEmpty(file) {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

/** @param {number} pid */
function killIfThere(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it ended by itself
  }
}
