import fs from 'node:fs';
import type { FdDetail } from '../../../model/facts/snapshot.js';
import { loadLibc } from './libc.js';

const ICANON = 0o2;
const ECHO = 0o10;
/** struct termios of glibc and musl: four flag words, one byte of line discipline, then c_cc. */
const controlCharacters = 17;
const VTIME = 5;
const VMIN = 6;
/** VTIME is in tenths of a second. */
const vtimeMs = 100;
const termiosBytes = 128;

/**
 * The settings of a terminal: line by line or key by key, echoing or not. Opened without becoming its controlling
 * terminal and without waiting for a line; nothing is read from it.
 */
export function readTerminal(path: string): FdDetail | null {
  const libc = loadLibc();
  if (libc === null || !/^\/dev\/(pts\/\d+|tty\w+|console|hvc\d+)$/.test(path)) return null;
  let fd: number;
  try {
    const { O_RDONLY, O_NOCTTY, O_NONBLOCK } = fs.constants;
    fd = fs.openSync(path, O_RDONLY | O_NOCTTY | O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const termios = Buffer.alloc(termiosBytes);
    if (libc.tcgetattr(fd, termios) !== 0) return null;
    const flags = termios.readUInt32LE(12);
    const canonical = (flags & ICANON) !== 0;
    const afterMs = (termios[controlCharacters + VTIME] ?? 0) * vtimeMs;
    const timed = !canonical && termios[controlCharacters + VMIN] === 0 && afterMs !== 0;
    return { of: 'terminal', canonical, echo: (flags & ECHO) !== 0, timed, ...(timed && { afterMs }) };
  } finally {
    fs.closeSync(fd);
  }
}
