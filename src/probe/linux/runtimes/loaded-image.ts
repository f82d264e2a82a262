import { isAbsent } from '../../../model/facts/absence.js';
import { isRemote } from '../proc/mounts.js';
import type { ProcDir } from '../proc/proc-dir.js';
import { readSymbols } from './elf-symbols.js';

/** A library or executable as loaded in a process. */
export interface LoadedImage {
  base: bigint;
  path: string;
  /** Addresses of exported symbols, counted from `base`. */
  symbols(names: readonly string[]): Map<string, number> | null;
}

/** `7f1e5c000000-7f1e5c021000 r--p 00000000 fe:00 2146322   /usr/lib/…/libjvm.so`: its beginning, offset 0. */
const line = /^([0-9a-f]+)-([0-9a-f]+) \S+ 0+ \S+ \d+ +(\/.*?)( \(deleted\))?$/gm;

/** The first image whose path fits; null: not loaded, or the maps are not readable. */
export function findImage(dir: ProcDir, fits: (path: string) => boolean): LoadedImage | null {
  const maps = dir.text('maps');
  if (isAbsent(maps)) return null;
  for (const [, from = '', to = '', path = '', deleted] of maps.matchAll(line)) {
    if (!fits(path)) continue;
    const base = BigInt(`0x${from}`);
    return {
      base,
      path,
      symbols(names) {
        if (isRemote(dir, path)) return null;
        // An update may have removed the file since; then only root can open the mapped file.
        const file = deleted === undefined ? `root${path}` : `map_files/${from}-${to}`;
        const found = readSymbols(dir.path(file), names, 'dynamic');
        return found === null ? null : fromBase(found, base);
      },
    };
  }
  return null;
}

/** Symbols of an executable that is linked to a fixed address are addresses already. */
function fromBase(symbols: Map<string, number>, base: bigint): Map<string, number> {
  const start = Number(base);
  return new Map([...symbols].map(([name, value]) => [name, value >= start ? value - start : value]));
}
