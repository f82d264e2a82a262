import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { loadLibc } from '../../probe/machine.js';
import { openOwnFile } from '../../store/files.js';
import type { RunDirectory } from '../../store/run-directory.js';
import { bellFile } from './bell.js';
import { ledgerFile } from './ledger.js';

export const inputFile = 'input';
export const positionFile = 'input-at';

/** As long as the text that the pump overwrites it with in place. A full disk cannot refuse that write. */
const positionAtFirst = `${'0'.padEnd(15)} ${'0'.padEnd(15)}\n`;

const readTriesMax = 100;

/** FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE: <linux/falloc.h>. */
const punchHole = 3;

/** Makes the files that the pump and the daemon need. Existing files stay as they are. */
export function prepareInput(directory: RunDirectory): void {
  const contents = { [inputFile]: '', [positionFile]: positionAtFirst, [ledgerFile]: '' };
  for (const [name, content] of Object.entries(contents)) {
    unlessThere(() => fs.writeFileSync(directory.file(name), content, { mode: 0o600, flag: 'wx' }));
  }
  const bell = directory.file(bellFile);
  if (fs.existsSync(bell)) return;
  if (loadLibc()?.mkfifo(bell, 0o600) !== 0) {
    // Used without koffi, and to get the reason of a failure.
    execFileSync('mkfifo', ['-m', '600', '--', bell], { stdio: ['ignore', 'ignore', 'pipe'] });
  }
}

function unlessThere(make: () => void): void {
  try {
    make();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Writes the missing part of these bytes, which begin at the offset. On an error, none of them are left. */
export function appendAt(file: string, offset: number, bytes: Buffer): void {
  const fd = openOwnFile(file, fs.constants.O_RDWR);
  try {
    let done = fs.fstatSync(fd).size - offset;
    if (done < 0) throw new Error(`${file} is shorter than it was`);
    try {
      while (done < bytes.length) done += fs.writeSync(fd, bytes, done, bytes.length - done, offset + done);
    } catch (error) {
      fs.ftruncateSync(fd, offset);
      throw error;
    }
  } finally {
    fs.closeSync(fd);
  }
}

/** How far the pump has come. The file is read again while the pump writes it. */
export function readPosition(file: string): number {
  const bytes = Buffer.alloc(positionAtFirst.length);
  const fd = openOwnFile(file);
  try {
    for (let triesLeft = readTriesMax; triesLeft > 0; triesLeft -= 1) {
      const text = bytes.toString('latin1', 0, fs.readSync(fd, bytes, 0, bytes.length, 0));
      const [, one, two] = /^(\d{1,15}) +(\d{1,15}) *\n$/.exec(text) ?? [];
      if (one !== undefined && one === two) return Number(one);
    }
  } finally {
    fs.closeSync(fd);
  }
  return 0;
}

/** Frees bytes on disk. All other bytes keep their offsets. Where this is not possible, the bytes stay. */
export function punchOut(file: string, from: number, to: number): void {
  const libc = to > from ? loadLibc() : null;
  if (libc === null) return;
  const fd = openOwnFile(file, fs.constants.O_RDWR);
  try {
    libc.fallocate(fd, punchHole, from, to - from);
  } finally {
    fs.closeSync(fd);
  }
}
