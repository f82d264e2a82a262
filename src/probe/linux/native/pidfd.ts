import { loadLibc } from './libc.js';

/** Newer than the tables that differ by architecture: the same number everywhere. */
const pidfdSendSignal = 424;
const pidfdOpen = 434;

/** A process held by a descriptor instead of a pid: a signal sent through it reaches this process or none. */
export interface Pidfd {
  /** false: the process has ended, or the right is missing. */
  send(signal: number): boolean;
  close(): void;
}

/** null: there is no such process, or no native code, or the kernel is older than 5.3. */
export function openPidfd(pid: number): Pidfd | null {
  const libc = loadLibc();
  const fd = libc?.syscall(pidfdOpen, pid, 0, 0, 0, 0) ?? -1;
  if (libc === null || fd < 0) return null;
  return {
    send: (signal) => libc.syscall(pidfdSendSignal, fd, signal, 0, 0, 0) === 0,
    close: () => void libc.close(fd),
  };
}
