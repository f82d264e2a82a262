import fs from 'node:fs';
import path from 'node:path';
import { Failure } from '../../model/failure.js';

const bytesMax = 1024 * 1024;
const writeBits = 0o222;

/** A settings file as it is now; `text` null: it does not exist. */
export interface SettingsFile {
  /** Links are resolved. */
  path: string;
  text: string | null;
}

function failure(file: string, what: string, hint: string, cause?: unknown): Failure {
  return new Failure('cannot-write', `${what}: ${file}`, hint, { cause });
}

/** Errors of the system become a Failure; `what` says what could not be done. */
function trying<T>(file: string, what: string, act: () => T): T {
  try {
    return act();
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    const { code, message } = cause as NodeJS.ErrnoException;
    throw failure(file, `${what} (${message})`, hintFor(code, file), cause);
  }
}

function hintFor(code: string | undefined, file: string): string {
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return 'a part of this path is not a directory: move it away, then try again';
  if (code === 'EACCES' || code === 'EPERM') return `check its permissions: namei -l '${file}'`;
  if (code === 'ELOOP') return 'correct the links, then try again';
  return 'repair this, then try again';
}

/** The file that a path leads to, also through links to a file that does not exist yet. */
function resolveLinks(file: string): string {
  let current = path.resolve(file);
  for (let step = 0; step < 40; step += 1) {
    if (!fs.lstatSync(current, { throwIfNoEntry: false })?.isSymbolicLink()) return current;
    current = path.resolve(path.dirname(current), fs.readlinkSync(current));
  }
  throw failure(file, 'too many links', 'correct the links, then try again');
}

/** Throws a Failure when it cannot be read, or is not text. */
export function readSettings(file: string): SettingsFile {
  return trying(file, 'cannot be read', () => readText(file));
}

function readText(file: string): SettingsFile {
  const resolved = resolveLinks(file);
  const stat = fs.statSync(resolved, { throwIfNoEntry: false });
  if (stat === undefined) return { path: resolved, text: null };
  if (!stat.isFile()) throw failure(file, 'not a regular file', 'move it away, then try again');
  if (stat.size > bytesMax) throw failure(file, 'larger than 1 MB', 'is it the right file?');
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(fs.readFileSync(resolved));
    return { path: resolved, text };
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw failure(file, 'not UTF-8', 'convert it to UTF-8, then try again', cause);
  }
}

/** Also for root, who could write it all the same. */
function checkWritable(file: string): fs.Stats | null {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return null;
  const mayWrite = (stat.mode & writeBits) !== 0;
  if (!mayWrite) throw failure(file, 'the file is read-only', `make it writable: chmod u+w '${file}'`);
  return stat;
}

/** Makes the directories that are missing, and returns them. */
function makeDirectories(file: string): string[] {
  const missing: string[] = [];
  for (let dir = path.dirname(file); !fs.existsSync(dir); dir = path.dirname(dir)) missing.unshift(dir);
  for (const dir of missing) fs.mkdirSync(dir);
  return missing;
}

/**
 * Replaces a settings file in one step, with its mode and owner. Refuses if it has changed since it was read. Returns
 * the directories that were made for it.
 */
export function writeSettings({ path: file, text: expected }: SettingsFile, text: string): string[] {
  const temporary = path.join(path.dirname(file), `.${path.basename(file)}.unstuck-${process.pid}`);
  if (readSettings(file).text !== expected)
    throw failure(file, 'the file has changed meanwhile', 'try again; nothing was written');
  return trying(file, 'cannot write', () => {
    const stat = checkWritable(file);
    const made = makeDirectories(file);
    try {
      fs.writeFileSync(temporary, text, { flag: 'wx', mode: stat === null ? 0o600 : stat.mode & 0o777 });
      if (stat !== null) {
        fs.chmodSync(temporary, stat.mode & 0o7777);
        if (stat.uid !== process.getuid?.() || stat.gid !== process.getgid?.())
          fs.chownSync(temporary, stat.uid, stat.gid);
      }
      fs.renameSync(temporary, file);
    } finally {
      fs.rmSync(temporary, { force: true });
    }
    return made;
  });
}

/** Removes a file that was created, and the directories made for it that are empty now. */
export function removeSettings(
  { path: file, text: expected }: SettingsFile,
  directories: readonly string[],
): void {
  if (readSettings(file).text !== expected)
    throw failure(file, 'the file has changed meanwhile', 'try again; nothing was removed');
  trying(file, 'cannot remove', () => {
    checkWritable(file);
    fs.rmSync(file);
    for (const dir of [...directories].reverse()) if (fs.readdirSync(dir).length === 0) fs.rmdirSync(dir);
  });
}
