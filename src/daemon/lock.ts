import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import type { LockHolder } from '../control/client/lock-holder.js';
import { readingOf } from '../model/facts/reading.js';
import { Failure } from '../model/failure.js';
import { daemonFile } from '../store/daemon-files.js';

/** flock(1): another process holds the lock. */
const takenExitCode = 1;

/** Longer than any holder record. */
const holderBytes = 1023;

/** The lock of the daemon of a state home. The kernel releases it when this process ends, however it ends. */
export interface DaemonLock {
  /** false: the file was provably replaced or removed, and another daemon may hold the new one. */
  readonly holds: boolean;
}

/** null: another daemon holds it. */
export function takeLock(home: string, holder: LockHolder): DaemonLock | null {
  const file = daemonFile(home, 'lock');
  const { O_RDWR, O_CREAT, O_NOFOLLOW } = fs.constants;
  // Node closes it in every child, so a run never holds the lock.
  const fd = fs.openSync(file, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600);
  if (!lockDescriptor(fd)) {
    fs.closeSync(fd);
    return null;
  }
  writeHolder(fd, holder);
  return {
    get holds() {
      const ours = readingOf(() => fs.fstatSync(fd).ino, null);
      const there = readingOf(() => fs.statSync(file).ino, null);
      // When it cannot be read now, it is checked again later.
      return ours.kind === 'unknown' || there.kind === 'unknown' || ours.value === there.value;
    },
  };
}

/** Overwritten in place, which works on a full disk. If it fails, the lock is held all the same. */
function writeHolder(fd: number, holder: LockHolder): void {
  try {
    fs.writeSync(fd, `${JSON.stringify(holder).padEnd(holderBytes)}\n`, 0);
  } catch {
    // The holder record is only informative.
  }
}

/** flock(1) locks our open file description. Its copy of the descriptor closes with it, and the lock stays. */
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
