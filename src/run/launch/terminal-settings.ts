import { loadLibc } from '../../probe/machine.js';

/** The settings of a terminal, as the kernel has them (struct termios). */
export type TerminalSettings = Buffer;

/** The same numbers on x86, arm and riscv. */
const TCGETS = 0x5401;
/** After all output has been written. */
const TCSETSW = 0x5403;
const TIOCGPGRP = 0x540f;
const TIOCGWINSZ = 0x5413;
const TIOCSWINSZ = 0x5414;

const settingsBytes = 64;
const sizeBytes = 8;
/** Offsets of the flag words and of the control characters. */
const at = { input: 0, output: 4, control: 8, local: 12, characters: 17 };
const VINTR = 0;
const VQUIT = 1;
const VTIME = 5;
const VMIN = 6;
const flag = {
  ISIG: 0o1,
  ICANON: 0o2,
  ECHO: 0o10,
};
/** What cfmakeraw(3) switches off. */
const cooked = { input: 0o2753, output: 0o1, control: 0o460, local: 0o100113 };
const CS8 = 0o60;

/** null: not a terminal, or not readable (no koffi). */
export function readSettings(fd: number): TerminalSettings | null {
  const settings = Buffer.alloc(settingsBytes);
  return loadLibc()?.ioctl(fd, TCGETS, settings) === 0 ? settings : null;
}

export function writeSettings(fd: number, settings: TerminalSettings): void {
  loadLibc()?.ioctl(fd, TCSETSW, Buffer.from(settings));
}

/** Every key is passed on as it is, and output is not changed. */
export function rawSettings(settings: TerminalSettings): TerminalSettings {
  const raw = Buffer.from(settings);
  for (const part of ['input', 'output', 'control', 'local'] as const) {
    raw.writeUInt32LE((raw.readUInt32LE(at[part]) & ~cooked[part]) >>> 0, at[part]);
  }
  raw.writeUInt32LE((raw.readUInt32LE(at.control) | CS8) >>> 0, at.control);
  raw[at.characters + VTIME] = 0;
  raw[at.characters + VMIN] = 1;
  return raw;
}

/** Lines are edited and shown by the terminal itself, as for programs that just print. */
export function isCooked(settings: TerminalSettings): boolean {
  const both = flag.ICANON | flag.ECHO;
  return (settings.readUInt32LE(at.local) & both) === both;
}

/** Which signal of a terminal the last of these keys sends; null: none of them sends one. */
export function signalOf(settings: TerminalSettings, keys: Uint8Array): 'SIGINT' | 'SIGQUIT' | null {
  if ((settings.readUInt32LE(at.local) & flag.ISIG) === 0) return null;
  const place = (character: number) => {
    const key = settings[at.characters + character] ?? 0;
    return key === 0 ? -1 : keys.lastIndexOf(key);
  };
  const [interrupt, quit] = [place(VINTR), place(VQUIT)];
  if (interrupt < 0 && quit < 0) return null;
  return interrupt > quit ? 'SIGINT' : 'SIGQUIT';
}

/** The process group that gets the signals of the keys. `master`: the end of a terminal that Unstuck keeps. */
export function foregroundGroupOf(master: number): number | null {
  const group = Buffer.alloc(4);
  return loadLibc()?.ioctl(master, TIOCGPGRP, group) === 0 ? group.readInt32LE(0) : null;
}

/** Gives one terminal the size of another, pixels included; false: the other has no size. */
export function copySize(from: number, to: number): boolean {
  const size = Buffer.alloc(sizeBytes);
  const libc = loadLibc();
  if (libc === null || libc.ioctl(from, TIOCGWINSZ, size) !== 0 || size.readUInt16LE(0) === 0) return false;
  return libc.ioctl(to, TIOCSWINSZ, size) === 0;
}
