import { isAbsent } from '../../model/absence.js';
import { readSymbols } from './elf-symbols.js';
import { isRemote } from './mounts.js';
import type { ProcDir } from './proc-dir.js';

/** libjvm.so as one process has it loaded. */
export interface Library {
  base: bigint;
  /** Addresses of exported symbols, counted from `base`. */
  symbols(names: readonly string[]): Map<string, number> | null;
}

/** `7f1e5c000000-7f1e5c021000 r--p 00000000 fe:00 2146322   /usr/lib/…/libjvm.so`: its beginning, offset 0. */
const line = /^([0-9a-f]+)-([0-9a-f]+) \S+ 0+ \S+ \d+ +(\/.*\/libjvm\.so)( \(deleted\))?$/m;

/** null: the process has not loaded it, or hides what it has. */
export function findLibrary(dir: ProcDir): Library | null {
  const maps = dir.text('maps');
  const match = isAbsent(maps) ? null : line.exec(maps);
  if (match === null) return null;
  const [, from = '', to = '', path = '', deleted] = match;
  return {
    base: BigInt(`0x${from}`),
    symbols(names) {
      if (isRemote(dir, path)) return null;
      // An update may have removed the file since; what is mapped can then be opened by root alone.
      const file = deleted === undefined ? `root${path}` : `map_files/${from}-${to}`;
      return readSymbols(dir.path(file), names, 'dynamic');
    },
  };
}
