import fs from 'node:fs';
import { daemonFile } from '../../store/daemon-files.js';
import { openOwnFile } from '../../store/open-own-file.js';

const tailBytes = 4096;
const messageCharsMax = 300;

/** The last error message of a daemon that failed. A daemon that found another one running has not failed. */
export function lastMessage(home: string): string {
  try {
    const messages = readTail(daemonFile(home, 'log')).match(
      /^(?:unstuck: (?!internal error|the daemon is already running)|\w*Error\b).*/gm,
    );
    return messages === null
      ? ''
      : `: ${messages.at(-1)?.replace('unstuck: ', '').slice(0, messageCharsMax)}`;
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
