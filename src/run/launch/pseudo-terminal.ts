import fs from 'node:fs';
import { loadLibc } from '../../probe/machine.js';

const { O_RDONLY, O_RDWR, O_NOCTTY, O_NONBLOCK } = fs.constants;
const O_CLOEXEC = 0o2000000;
/** The same number on x86, arm and riscv. */
const TIOCSWINSZ = 0x5414;
const TIOCGWINSZ = 0x5413;

export interface TerminalSize {
  rows: number;
  columns: number;
}

export interface PseudoTerminal {
  /** The end that Unstuck keeps. */
  master: number;
  /** The end that a program gets as its terminal. */
  slave: number;
  /** Path of the program's end. */
  name: string;
  resize(size: TerminalSize): void;
  /** Closes both ends. */
  close(): void;
}

/** A terminal without a user; null: it cannot be allocated (no koffi, no free pseudo-terminal). */
export function openTerminal(): PseudoTerminal | null {
  const libc = loadLibc();
  const master = libc?.posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC) ?? -1;
  if (libc === null || master < 0) return null;
  const opened = [master];
  const close = () => {
    for (const fd of opened.splice(0)) fs.closeSync(fd);
  };
  try {
    if (libc.grantpt(master) !== 0 || libc.unlockpt(master) !== 0) throw new Error('no pseudo terminal');
    const name = libc.ptsname(master);
    const slave = fs.openSync(name, O_RDWR | O_NOCTTY);
    opened.push(slave);
    return {
      master,
      slave,
      name,
      resize({ rows, columns }) {
        const size = Buffer.alloc(8);
        size.writeUInt16LE(rows, 0);
        size.writeUInt16LE(columns, 2);
        libc.ioctl(master, TIOCSWINSZ, size);
      },
      close,
    };
  } catch {
    close();
    return null;
  }
}

/** The size of a terminal of this machine; null: not a terminal, no size, or not readable. */
export function terminalSizeOf(file: string | null): TerminalSize | null {
  if (file === null || !/^\/dev\/pts\/\d+$/.test(file)) return null;
  const libc = loadLibc();
  if (libc === null) return null;
  try {
    const fd = fs.openSync(file, O_RDONLY | O_NOCTTY | O_NONBLOCK);
    try {
      const size = Buffer.alloc(8);
      const rows = libc.ioctl(fd, TIOCGWINSZ, size) === 0 ? size.readUInt16LE(0) : 0;
      const columns = size.readUInt16LE(2);
      return rows > 0 && columns > 0 ? { rows, columns } : null;
    } finally {
      fs.closeSync(fd);
    }
  } catch {
    return null;
  }
}
