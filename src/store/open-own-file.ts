import fs from 'node:fs';

const { O_RDONLY, O_RDWR, O_CREAT, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = fs.constants;

/** Added to all open flags: links are not followed, and opening a FIFO does not block. */
export const ownFileFlags = O_NOFOLLOW | O_NONBLOCK;

/** Opens a regular file. Throws when another kind of file is in its place. */
export function openOwnFile(file: string, flags = O_RDONLY): number {
  const fd = fs.openSync(file, flags | ownFileFlags, 0o600);
  if (fs.fstatSync(fd).isFile()) return fd;
  fs.closeSync(fd);
  throw new Error(`${file} is not a regular file`);
}

/** The bytes between two offsets; fewer, where the file ends before. */
export function readOwnFile(file: string, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(to - from);
  const fd = openOwnFile(file);
  try {
    return bytes.subarray(0, fs.readSync(fd, bytes, 0, bytes.length, from));
  } finally {
    fs.closeSync(fd);
  }
}

/** For reading and appending. Anything in its place that is not a regular file is renamed to .set-aside. */
export function openForAppend(file: string): number {
  const there = fs.lstatSync(file, { throwIfNoEntry: false });
  if (there !== undefined && !there.isFile()) fs.renameSync(file, `${file}.set-aside`);
  const fd = openOwnFile(file, O_RDWR | O_CREAT | O_APPEND);
  if ((fs.fstatSync(fd).mode & 0o077) !== 0) fs.fchmodSync(fd, 0o600);
  return fd;
}
