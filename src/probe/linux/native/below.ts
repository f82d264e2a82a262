import fs from 'node:fs';
import { type Libc, loadedLibc, loadLibc } from './libc.js';

// Files of /proc, read with fewer steps than Node takes. What lies below an open directory Node can name only by a path
// (/proc/self/fd/N), which the kernel walks each time: half as much again. Each function returns null when it has not read:
// Node, asked the same, has the reason.

/** In place of an open directory, where the name is a path from the root. Then nothing is read before the C library is loaded. */
export const root = -1;

/** Node does not name it. */
const O_CLOEXEC = 0o2000000;
const getdents64: Record<string, number> = { x64: 217, arm64: 61, riscv64: 61 };
/** Of struct linux_dirent64: where its length and its name are. */
const lengthAt = 16;
const nameAt = 19;
const zero = 48;
const nine = 57;

function libcFor(directory: number): Libc | null {
  return directory === root ? loadedLibc() : loadLibc();
}

function withOpen<T>(
  directory: number,
  name: string,
  flags: number,
  use: (libc: Libc, fd: number) => T,
): T | null {
  const libc = libcFor(directory);
  const fd = libc?.openat(directory, name, fs.constants.O_RDONLY | O_CLOEXEC | flags) ?? -1;
  if (libc === null || fd < 0) return null;
  try {
    return use(libc, fd);
  } finally {
    libc.close(fd);
  }
}

/** A descriptor to read from; the caller closes it. */
export function openBelow(directory: number, name: string): number | null {
  const fd = loadLibc()?.openat(directory, name, fs.constants.O_RDONLY | O_CLOEXEC) ?? -1;
  return fd < 0 ? null : fd;
}

/** Reads a file until its end, or until `bytes` is full. Returns how many bytes. */
export function readBelow(
  directory: number,
  name: string,
  bytes: Buffer,
  inOnePiece: boolean,
): number | null {
  return withOpen(directory, name, 0, (libc, fd) => {
    let length = libc.read(fd, bytes, bytes.length);
    for (let got = length; got > 0 && !inOnePiece && length < bytes.length; ) {
      got = libc.read(fd, bytes.subarray(length), bytes.length - length);
      length = got < 0 ? got : length + got;
    }
    return length < 0 ? null : length;
  });
}

/** The target of a link. Returns how many bytes of `bytes` it takes. */
export function linkBelow(directory: number, name: string, bytes: Buffer): number | null {
  const length = libcFor(directory)?.readlinkat(directory, name, bytes, bytes.length) ?? -1;
  return length < 0 || length === bytes.length ? null : length;
}

/** The entries of a directory that are numbers. */
export function numbersBelow(directory: number, name: string, bytes: Buffer): number[] | null {
  const call = getdents64[process.arch];
  if (call === undefined) return null;
  return withOpen(directory, name, fs.constants.O_DIRECTORY, (libc, fd) => {
    const numbers: number[] = [];
    for (;;) {
      const length = libc.syscallInto(call, fd, bytes, bytes.length);
      if (length <= 0) return length < 0 ? null : numbers;
      for (let at = 0; at < length; at += bytes.readUInt16LE(at + lengthAt))
        addNumber(numbers, bytes, at + nameAt);
    }
  });
}

function addNumber(numbers: number[], bytes: Buffer, from: number): void {
  let value = 0;
  for (let at = from; ; at += 1) {
    const digit = bytes[at] ?? 0;
    if (digit < zero || digit > nine) {
      if (digit === 0 && at > from) numbers.push(value);
      return;
    }
    value = value * 10 + digit - zero;
  }
}
