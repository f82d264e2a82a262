import { isAbsent } from '../../model/facts/absence.js';
import type { Memory } from '../linux/proc/mem.js';
import type { ProcDir } from '../linux/proc/proc-dir.js';
import { bytesAt, Texts, wordAt } from '../linux/runtimes/java/memory.js';
import { findImage } from '../linux/runtimes/loaded-image.js';

const variablesMax = 4096;

/**
 * The present value of a variable in the program. /proc/PID/environ shows only the environment of the start; a variable
 * that a program sets later is found through the C library's `environ`. null: not set, or not readable.
 */
export function readLiveVariable(dir: ProcDir, memory: Memory, name: string): string | null {
  const executable = dir.link('exe');
  if (isAbsent(executable)) return null;
  // An executable at a fixed address has its own copy, which counts.
  const images = [
    findImage(dir, (path) => path === executable),
    findImage(dir, (path) => /\/libc(?:\.so\.6|-2\.\d+\.so|\.musl-[^/]+)$/.test(path)),
  ];
  for (const image of images) {
    const symbol = image?.symbols(['environ'])?.get('environ');
    if (image === null || symbol === undefined) continue;
    const list = wordAt(memory, image.base + BigInt(symbol));
    return list === null ? null : findVariable(memory, list, name);
  }
  return null;
}

function findVariable(memory: Memory, list: bigint, name: string): string | null {
  const texts = new Texts(memory);
  for (let index = 0n; index < variablesMax; index += 1n) {
    const address = wordAt(memory, list + index * 8n);
    if (address === null || address === 0n) return null;
    const head = bytesAt(memory, address, name.length + 1)?.toString('latin1');
    if (head !== `${name}=`) continue;
    const text = texts.at(address);
    return text === null
      ? null
      : Buffer.from(text, 'latin1')
          .toString('utf8')
          .slice(name.length + 1);
  }
  return null;
}
