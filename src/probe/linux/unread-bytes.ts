import { createRequire } from 'node:module';

/** The same number on x86, arm and riscv. */
const FIONREAD = 0x541b;

/** How much waits to be read from a pipe or socket of ours; 0: nothing, or it cannot be told (no koffi). */
export function unreadBytes(fd: number): number {
  try {
    const koffi = createRequire(import.meta.url)('koffi') as typeof import('koffi').default;
    const count = Buffer.alloc(4);
    const ioctl = koffi.load(null).func('int ioctl(int, unsigned long, _Out_ void *)');
    return ioctl(fd, FIONREAD, count) === 0 ? count.readInt32LE(0) : 0;
  } catch {
    return 0;
  }
}
