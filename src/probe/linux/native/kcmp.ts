import { loadLibc } from './libc.js';

const numbers: Record<string, number> = { x64: 312, arm64: 272, riscv64: 272 };
const KCMP_FILE = 0;
const KCMP_VM = 1;
const KCMP_FILES = 2;

/** Whether two processes have the same kernel object; null: the kernel does not say (rights, or built without). */
function compare(a: number, b: number, type: number, aFd: number, bFd: number): boolean | null {
  const libc = loadLibc();
  const number = numbers[process.arch];
  if (libc === null || number === undefined) return null;
  const result = libc.syscall(number, a, b, type, aFd, bFd);
  return result < 0 ? null : result === 0;
}

/** One address space: a private futex of the one can be woken by the other (clone with CLONE_VM). */
export function sameMemory(a: number, b: number): boolean | null {
  return compare(a, b, KCMP_VM, 0, 0);
}

/** One open file under two numbers: what one does to it, the other sees. */
export function sameFile(a: number, aFd: number, b: number, bFd: number): boolean | null {
  return compare(a, b, KCMP_FILE, aFd, bFd);
}

/** One table of open files: what one opens or closes, the other has open or closed. */
export function sameFiles(a: number, b: number): boolean | null {
  return compare(a, b, KCMP_FILES, 0, 0);
}
