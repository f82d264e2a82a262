import fs from 'node:fs';
import { createRequire } from 'node:module';

const { O_RDWR, O_NOCTTY } = fs.constants;
const O_CLOEXEC = 0o2000000;

export interface DemoTerminal {
  /** What a program gets as its terminal. */
  slave: number;
  /** Closes both ends. */
  close(): void;
}

/** A terminal nobody sits at; null where it cannot be had (no koffi, no free pseudo terminal). */
export function openTerminal(): DemoTerminal | null {
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
    return { slave, close };
  } catch {
    close();
    return null;
  }
}
