import { loadLibc } from '../native/libc.js';

/** The same number on x86, arm and riscv. */
const FIONREAD = 0x541b;

/** How much waits to be read from a pipe or socket of ours; 0: nothing, or it cannot be told (no koffi). */
export function unreadBytes(fd: number): number {
  const count = Buffer.alloc(4);
  return loadLibc()?.ioctl(fd, FIONREAD, count) === 0 ? count.readInt32LE(0) : 0;
}
