import { createRequire } from 'node:module';
import { ownUrl } from '../../../model/own-url.js';

/** The few C calls that Node cannot make itself. */
export interface Libc {
  socket(domain: number, type: number, protocol: number): number;
  send(fd: number, bytes: Buffer, length: number, flags: number): number;
  recv(fd: number, bytes: Buffer, length: number, flags: number): number;
  close(fd: number): number;
  openat(directory: number, name: string, flags: number): number;
  read(fd: number, bytes: Buffer, length: number): number;
  readlinkat(directory: number, name: string, bytes: Buffer, length: number): number;
  tcgetattr(fd: number, termios: Buffer): number;
  getsockopt(fd: number, level: number, option: number, value: Buffer, length: Buffer): number;
  ioctl(fd: number, request: number, value: Buffer): number;
  posix_openpt(flags: number): number;
  grantpt(fd: number): number;
  unlockpt(fd: number): number;
  ptsname(fd: number): string;
  mkfifo(path: string, mode: number): number;
  /** Offset and length up to 2^53. */
  fallocate(fd: number, mode: number, offset: number, length: number): number;
  sendfile(to: number, from: number, offset: Buffer, length: number): number;
  /** Ends this process without waiting for anything, its own threads included. */
  _exit(code: number): void;
  /** 0, or -1: the CPUs this thread may run on, a bit each. */
  sched_getaffinity(tid: number, length: number, mask: Buffer): number;
  sched_setaffinity(tid: number, length: number, mask: Buffer): number;
  prctl(option: number, a: number, b: number, c: number, d: number): number;
  /** Calls without a function in the C library; whole numbers only. */
  syscall(number: number, a: number, b: number, c: number, d: number, e: number): number;
  /** The same with a structure as the last argument. */
  syscallWith(number: number, a: number, b: number, c: number, d: number, e: Buffer): number;
  /** The same with what the kernel writes as the second argument. */
  syscallInto(number: number, a: number, bytes: Buffer, length: number): number;
}

let loaded: Libc | null | undefined;

/** null: it was not needed so far. */
export function loadedLibc(): Libc | null {
  return loaded ?? null;
}

/** The C library through koffi, loaded on first use; null where koffi has no binary for this machine. */
export function loadLibc(): Libc | null {
  if (loaded !== undefined) return loaded;
  try {
    const koffi = createRequire(ownUrl)('koffi') as typeof import('koffi').default;
    const library = koffi.load(null);
    loaded = {
      socket: library.func('int socket(int, int, int)'),
      send: library.func('long send(int, const void *, size_t, int)'),
      recv: library.func('long recv(int, _Out_ void *, size_t, int)'),
      close: library.func('int close(int)'),
      openat: library.func('int openat(int, const char *, int)'),
      read: library.func('long read(int, _Out_ void *, size_t)'),
      readlinkat: library.func('long readlinkat(int, const char *, _Out_ void *, size_t)'),
      tcgetattr: library.func('int tcgetattr(int, _Out_ void *)'),
      getsockopt: library.func('int getsockopt(int, int, int, _Out_ void *, _Inout_ void *)'),
      ioctl: library.func('int ioctl(int, unsigned long, _Inout_ void *)'),
      posix_openpt: library.func('int posix_openpt(int)'),
      grantpt: library.func('int grantpt(int)'),
      unlockpt: library.func('int unlockpt(int)'),
      ptsname: library.func('const char *ptsname(int)'),
      mkfifo: library.func('int mkfifo(const char *, unsigned int)'),
      fallocate: library.func('int fallocate(int, int, int64_t, int64_t)'),
      sendfile: library.func('long sendfile(int, int, _Inout_ void *, size_t)'),
      _exit: library.func('void _exit(int)'),
      sched_getaffinity: library.func('int sched_getaffinity(int, size_t, _Out_ void *)'),
      sched_setaffinity: library.func('int sched_setaffinity(int, size_t, const void *)'),
      prctl: library.func('int prctl(int, unsigned long, unsigned long, unsigned long, unsigned long)'),
      syscall: library.func('long syscall(long, long, long, long, long, long)'),
      syscallWith: library.func('long syscall(long, long, long, long, long, const void *)'),
      syscallInto: library.func('long syscall(long, long, _Out_ void *, long)'),
    };
  } catch {
    loaded = null;
  }
  return loaded;
}

/** Some bytes of an open file. */
export interface FilePiece {
  file: number;
  at: number;
  length: number;
}

/**
 * Copies bytes of a file to another file, or to nowhere, without taking them into the memory of this process. Returns
 * how many were copied; 0: the system cannot do that here (the target is opened for appending, the disk is full). Not
 * for targets that may block.
 */
export function sendFile(to: number, { file, at, length }: FilePiece): number {
  const offset = Buffer.alloc(8);
  offset.writeBigInt64LE(BigInt(at));
  return Math.max(0, loadLibc()?.sendfile(to, file, offset, length) ?? 0);
}
