import fs from 'node:fs';
import { createRequire } from 'node:module';

const { O_RDWR, O_NOCTTY } = fs.constants;
const O_CLOEXEC = 0o2000000;
/** The same number on x86, arm and riscv. */
const TIOCSWINSZ = 0x5414;

export interface TerminalSize {
  rows: number;
  columns: number;
}

export interface PseudoTerminal {
  /** Our end. */
  master: number;
  /** What a program gets as its terminal. */
  slave: number;
  resize(size: TerminalSize): void;
  /** Closes both ends. */
  close(): void;
}

/** A terminal that nobody sits at; null where it cannot be had (no koffi, no free pseudo terminal). */
export function openTerminal(): PseudoTerminal | null {
  const opened: number[] = [];
  const close = () => {
    for (const fd of opened.splice(0)) fs.closeSync(fd);
  };
  try {
    const koffi = createRequire(import.meta.url)('koffi') as typeof import('koffi').default;
    const libc = koffi.load(null);
    const master = libc.func('int posix_openpt(int)')(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (master < 0) return null;
    opened.push(master);
    if (libc.func('int grantpt(int)')(master) !== 0 || libc.func('int unlockpt(int)')(master) !== 0) {
      close();
      return null;
    }
    const slave = fs.openSync(libc.func('const char *ptsname(int)')(master), O_RDWR | O_NOCTTY);
    opened.push(slave);
    const ioctl = libc.func('int ioctl(int, unsigned long, const void *)');
    return {
      master,
      slave,
      resize({ rows, columns }) {
        const size = Buffer.alloc(8);
        size.writeUInt16LE(rows, 0);
        size.writeUInt16LE(columns, 2);
        ioctl(master, TIOCSWINSZ, size);
      },
      close,
    };
  } catch {
    close();
    return null;
  }
}
