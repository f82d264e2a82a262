import { loadLibc } from '../native/libc.js';

/** The same number on x86, arm and riscv. */
const FIONREAD = 0x541b;

/** How many bytes wait to be read from a pipe or socket of this process; 0: none, or not known (no koffi). */
export function unreadBytes(fd: number): number {
  const count = Buffer.alloc(4);
  return loadLibc()?.ioctl(fd, FIONREAD, count) === 0 ? count.readInt32LE(0) : 0;
}
