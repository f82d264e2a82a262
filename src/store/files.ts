import fs from 'node:fs';
import path from 'node:path';
import { mapReading, type Reading, readingOf } from '../model/facts/reading.js';
import { jsonOr } from '../text/parse-json.js';

const { O_RDONLY, O_RDWR, O_WRONLY, O_CREAT, O_TRUNC, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = fs.constants;

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

/**
 * Creates the parents too. Node's `recursive` loops for ever where a parent exists but takes no directories, as in
 * /proc.
 */
export function makeDirectory(dir: string, mode = 0o777): void {
  try {
    makeOne(dir, mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' || fs.existsSync(path.dirname(dir))) throw error;
    makeDirectory(path.dirname(dir), mode);
    makeOne(dir, mode);
  }
}

/** Another process may create it at the same moment. */
function makeOne(dir: string, mode: number): void {
  // An error costs more than a look.
  if (fs.statSync(dir, { throwIfNoEntry: false })?.isDirectory()) return;
  try {
    fs.mkdirSync(dir, { mode });
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST' && fs.statSync(dir).isDirectory();
    if (!isThere) throw error;
  }
}

/** Writes JSON under a temporary name first, so readers never see half of it. Readable by its owner only. */
export function writeWhole(file: string, content: unknown): void {
  const temporary = path.join(path.dirname(file), `.${path.basename(file)}.tmp`);
  const fd = openOwnFile(temporary, O_WRONLY | O_CREAT | O_TRUNC);
  try {
    fs.writeFileSync(fd, `${JSON.stringify(content, null, 1)}\n`);
  } finally {
    fs.closeSync(fd);
  }
  fs.renameSync(temporary, file);
}

/** More than Unstuck writes to any small file. */
const bytesMax = 16 * 1024 * 1024;

/** Content of an untrusted file; null: it is missing or not JSON. */
export function readJson(file: string, max = bytesMax): Reading<unknown> {
  const text = readingOf(() => {
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    // Reading a FIFO would never end.
    return stat?.isFile() && stat.size <= max ? fs.readFileSync(file, 'utf8') : null;
  }, null);
  return mapReading(text, (content) => (content === null ? null : jsonOr(content, null)));
}
