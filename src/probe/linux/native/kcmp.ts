import { loadLibc } from './libc.js';

const numbers: Record<string, number> = { x64: 312, arm64: 272, riscv64: 272 };
const KCMP_FILE = 0;
const KCMP_VM = 1;
const KCMP_FILES = 2;
const KCMP_EPOLL_TFD = 7;

/**
 * Compares kernel objects of two processes: 0 the same, 1 or 2 in some order that lasts. null: the kernel does not answer
 * (rights, or built without).
 */
function compare(a: number, b: number, type: number, aFd: number, bFd: number): number | null {
  const libc = loadLibc();
  const number = numbers[process.arch];
  if (libc === null || number === undefined) return null;
  const result = libc.syscall(number, a, b, type, aFd, bFd);
  return result < 0 ? null : result;
}

function isSame(result: number | null): boolean | null {
  return result === null ? null : result === 0;
}

/** A shared address space: each process can wake a private futex of the other (clone with CLONE_VM). */
export function sameMemory(a: number, b: number): boolean | null {
  return isSame(compare(a, b, KCMP_VM, 0, 0));
}

/** Orders open files. 0: the same one under two numbers, so that a change through either affects both. */
export function orderOfFiles(a: number, aFd: number, b: number, bFd: number): -1 | 0 | 1 | null {
  const result = compare(a, b, KCMP_FILE, aFd, bFd);
  if (result === 0) return 0;
  // A kernel that knows no order answers 3.
  return result === 1 ? -1 : result === 2 ? 1 : null;
}

/**
 * Whether an epoll instance watches the file that is open under `fd` now; `nth`: of the registrations under that number,
 * in the order of its fdinfo.
 */
export function watchesFile(pid: number, epfd: number, fd: number, nth: number): boolean | null {
  const libc = loadLibc();
  const number = numbers[process.arch];
  if (libc === null || number === undefined) return null;
  const slot = Buffer.alloc(12);
  for (const [index, value] of [epfd, fd, nth].entries()) slot.writeUInt32LE(value, 4 * index);
  const result = libc.syscallWith(number, pid, pid, KCMP_EPOLL_TFD, fd, slot);
  return result < 0 ? null : result === 0;
}

/** A shared table of open files: a file that one process opens or closes is open or closed in the other. */
export function sameFiles(a: number, b: number): boolean | null {
  return isSame(compare(a, b, KCMP_FILES, 0, 0));
}
