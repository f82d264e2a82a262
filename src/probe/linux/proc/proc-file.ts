import fs from 'node:fs';
import { type AbsenceReason, type Absent, isAbsent } from '../../../model/facts/absence.js';
import { linkBelow, numbersBelow, readBelow, root } from '../native/below.js';

const sharedBytes = 64 * 1024;
/** A file of /proc larger than this is cut: no parsed file is meant to be that long. */
const fileBytesMax = 16 * 1024 * 1024;

let buffer = Buffer.allocUnsafe(sharedBytes);

const reasonByErrno: Record<string, AbsenceReason> = {
  EACCES: 'not-permitted',
  EPERM: 'not-permitted',
  ENOENT: 'gone',
  ESRCH: 'gone',
  ENODEV: 'gone',
  ENOSYS: 'unsupported',
  EINVAL: 'unsupported',
  ENOTDIR: 'unsupported',
  EMFILE: 'limit',
  ENFILE: 'limit',
};

export function reasonOf(error: unknown): AbsenceReason {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return (code !== undefined && reasonByErrno[code]) || 'failed';
}

/** Runs a read of the kernel; a system error becomes data. A bug (TypeError …) still throws. */
export function attempt<T>(read: () => T): T | Absent {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return { absent: reasonOf(error) };
  }
}

/** `isKept`: from the start of the file; otherwise from where the last read ended. */
function fill(fd: number, from = 0, isKept = false): Buffer {
  let length = from;
  for (;;) {
    if (length === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
    const got = fs.readSync(fd, buffer, length, buffer.length - length, isKept ? length : null);
    if (got === 0 || length + got >= fileBytesMax) return buffer.subarray(0, length + got);
    length += got;
  }
}

/** The content of a file of /proc, in a buffer that the next read overwrites. */
export function readBytes(path: string): Buffer | Absent {
  return withFile(path, fill);
}

/** The same for files that come in one piece (stat, environ): there is no second read for more. */
export function readPiece(path: string): Buffer | Absent {
  return withFile(path, (fd) => {
    const length = fs.readSync(fd, buffer, 0, buffer.length, null);
    return length < buffer.length ? buffer.subarray(0, length) : fill(fd, length);
  });
}

function withFile(path: string, read: (fd: number) => Buffer): Buffer | Absent {
  return attempt(() => {
    const fd = fs.openSync(path, fs.constants.O_RDONLY);
    try {
      return read(fd);
    } finally {
      fs.closeSync(fd);
    }
  });
}

export function readText(path: string): string | Absent {
  const bytes = readBytes(path);
  return Buffer.isBuffer(bytes) ? bytes.toString('utf8') : bytes;
}

const keptFiles = new Map<string, number>();

/**
 * The same for a file that is read often, and stays open. The kernel prints a long file again and again until its buffer is
 * large enough, and keeps the buffer with the open file: a list of 1,000 timers takes 4 instead of 13 ms.
 */
export function readKeptText(path: string): string | Absent {
  return attempt(() => {
    const fd = keptFiles.get(path) ?? fs.openSync(path, fs.constants.O_RDONLY);
    keptFiles.set(path, fd);
    return fill(fd, 0, true).toString('utf8');
  });
}

export function readLink(path: string): string | Absent {
  return attempt(() => fs.readlinkSync(path));
}

export function listNumbers(path: string): number[] | Absent {
  return attempt(() => {
    const numbers: number[] = [];
    for (const name of fs.readdirSync(path)) {
      const first = name.charCodeAt(0);
      if (first >= 48 && first <= 57) numbers.push(Number(name));
    }
    return numbers;
  });
}

/** The same below an open directory, which is faster. `path`: its path, for what cannot be read that way. */
export const below = {
  bytes(directory: number, name: string, path: string, inOnePiece: boolean): Buffer | Absent {
    const length = readBelow(directory, name, buffer, inOnePiece);
    if (length !== null && length < buffer.length) return buffer.subarray(0, length);
    return inOnePiece ? readPiece(path) : readBytes(path);
  },

  text(directory: number, name: string, path: string, inOnePiece: boolean): string | Absent {
    const length = readBelow(directory, name, buffer, inOnePiece);
    if (length !== null && length < buffer.length) return buffer.toString('utf8', 0, length);
    const bytes = inOnePiece ? readPiece(path) : readBytes(path);
    return isAbsent(bytes) ? bytes : bytes.toString('utf8');
  },

  link(directory: number, name: string, path: string): string | Absent {
    const length = linkBelow(directory, name, buffer);
    return length === null ? readLink(path) : buffer.toString('utf8', 0, length);
  },

  numbers(directory: number, name: string, path: string): number[] | Absent {
    return numbersBelow(directory, name, buffer) ?? listNumbers(path);
  },
};

/** For the search through all processes, which reads tens of thousands of files. */
export const often = {
  piece: (path: string): Buffer | Absent => below.bytes(root, path, path, true),
  link: (path: string): string | Absent => below.link(root, path, path),
  numbers: (path: string): number[] | Absent => below.numbers(root, path, path),
};
