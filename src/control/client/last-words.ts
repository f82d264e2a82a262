import fs from 'node:fs';
import { daemonFile } from '../../store/daemon-files.js';
import { openOwnFile } from '../../store/open-own-file.js';

const tailBytes = 4096;
const wordsMax = 300;

/** What the last daemon that failed has said; one that only found another in its place has not failed. */
export function lastWords(home: string): string {
  try {
    const words = readTail(daemonFile(home, 'log')).match(
      /^(?:unstuck: (?!internal error|the daemon runs already)|\w*Error\b).*/gm,
    );
    return words === null ? '' : `: ${words.at(-1)?.replace('unstuck: ', '').slice(0, wordsMax)}`;
  } catch {
    return '';
  }
}

function readTail(file: string): string {
  const fd = openOwnFile(file);
  try {
    const bytes = Buffer.alloc(tailBytes);
    const from = Math.max(0, fs.fstatSync(fd).size - tailBytes);
    return bytes.toString('utf8', 0, fs.readSync(fd, bytes, 0, tailBytes, from));
  } finally {
    fs.closeSync(fd);
  }
}
