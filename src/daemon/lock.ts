import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import type { LockHolder } from '../control/client/lock-holder.js';
import { Failure } from '../model/failure.js';
import { readingOf } from '../model/reading.js';
import { daemonFile } from '../store/daemon-files.js';

/** flock(1): somebody else has it. */
const takenExitCode = 1;

/** More than any holder is long. */
const holderBytes = 1023;

/** The right to be the daemon of a home. The kernel takes it back when this process ends, however it ends. */
export interface DaemonLock {
  /** false: the file has been replaced or removed, and somebody else may be the daemon by now. Proven. */
  readonly holds: boolean;
}

/** null: another daemon has it. */
export function takeLock(home: string, holder: LockHolder): DaemonLock | null {
  const file = daemonFile(home, 'lock');
  const { O_RDWR, O_CREAT, O_NOFOLLOW } = fs.constants;
  // Node closes it in every child, so no run ever holds the lock.
  const fd = fs.openSync(file, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600);
  if (!lockDescriptor(fd)) {
    fs.closeSync(fd);
    return null;
  }
  tellWhoHasIt(fd, holder);
  return {
    get holds() {
      const ours = readingOf(() => fs.fstatSync(fd).ino, null);
      const there = readingOf(() => fs.statSync(file).ino, null);
      // What cannot be read now is looked at again.
      return ours.kind === 'unknown' || there.kind === 'unknown' || ours.value === there.value;
    },
  };
}

/** Overwritten in place, which a full disk cannot refuse; where it does, the lock is ours all the same. */
function tellWhoHasIt(fd: number, holder: LockHolder): void {
  try {
    fs.writeSync(fd, `${JSON.stringify(holder).padEnd(holderBytes)}\n`, 0);
  } catch {
    // Who has it is for people and for patience only.
  }
}

/** What the program locks is our open file; its copy of the descriptor ends with it, the lock stays. */
function lockDescriptor(fd: number): boolean {
  const { status, error, stderr } = spawnSync('flock', ['-n', '-x', '3'], {
    stdio: ['ignore', 'ignore', 'pipe', fd],
    encoding: 'utf8',
  });
  if (status === 0) return true;
  if (status === takenExitCode && stderr === '') return false;
  const reason = error?.message ?? stderr.trim();
  throw new Failure('no-daemon', `the daemon cannot take its lock: ${reason}`, 'install flock (util-linux)');
}
