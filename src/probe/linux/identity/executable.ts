import path from 'node:path';
import { isAbsent } from '../../../model/facts/absence.js';
import type { Runtime } from '../../../model/facts/snapshot.js';
import type { ProcessDir } from '../kernel/kernel.js';
import { isRemote } from '../proc/mounts.js';

const headBytes = 4096;

const runtimes: [name: RegExp, runtime: Runtime][] = [
  [/^(node|nodejs|bun|deno)$/, 'node'],
  [/^java$/, 'java'],
  [/^(python|pypy)[\d.]*$/, 'python'],
  [/^ruby[\d.]*$/, 'ruby'],
];

export interface Executable {
  path: string | null;
  runtime: Runtime | null;
  /** 32-bit programs use other call numbers and smaller structures. */
  is32Bit: boolean;
}

/**
 * Facts of the executable: its path, the language runtime, the word size. Read once for each entry of `known`. `base` is
 * `` or `task/TID/` (the way in when the leader is a zombie).
 */
export function readExecutable(dir: ProcessDir, known: Map<string, Executable>, base = ''): Executable {
  const link = dir.link(`${base}exe`);
  if (isAbsent(link)) return { path: null, runtime: null, is32Bit: false };
  const space = dir.link(`${base}ns/mnt`);
  // Only the name of a deleted file is known, and several files may have had it.
  if (isAbsent(space) || link.endsWith(' (deleted)')) return readFile(dir, link, base);
  const key = `${space} ${link}`;
  const executable = known.get(key) ?? readFile(dir, link, base);
  known.set(key, executable);
  return executable;
}

function readFile(dir: ProcessDir, link: string, base: string): Executable {
  const name = path.basename(link.replace(/ \(deleted\)$/, ''));
  const byName = runtimes.find(([pattern]) => pattern.test(name))?.[1] ?? null;
  if (byName !== null) return { path: link, runtime: byName, is32Bit: false };
  if (isRemote(dir, link)) return { path: link, runtime: null, is32Bit: false };
  const head = dir.head(`${base}exe`, headBytes);
  // The calls of a program that was not captured cannot be named.
  if (isAbsent(head)) return { path: link, runtime: null, is32Bit: head.absent === 'uncaptured' };
  // The Go linker puts its build id into a note of the first page.
  return {
    path: link,
    runtime: head.includes('Go build ID') || head.includes('\0Go\0\0') ? 'go' : null,
    is32Bit: head[4] === 1,
  };
}
