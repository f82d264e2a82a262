import { readdirSync, readFileSync } from 'node:fs';

export interface Memory {
  residentBytes: number;
  /** Without what it shares with others, such as the pages of its program. */
  privateBytes: number;
}

/** Empty: there is none (any more). */
export function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** CPU time of all threads that live, to the nanosecond: ticks of 10 ms are too coarse for who hardly works. */
export function cpuMs(pid: number): number {
  return readdirSync(`/proc/${pid}/task`)
    .map((thread) => Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0]) / 1e6)
    .reduce((sum, ms) => sum + ms, 0);
}

export function childrenOf(pid: number): number[] {
  return read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
}

function sessionOf(pid: number): number {
  return Number(read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ')[3]);
}

function kibibytes(text: string, field: string): number {
  const found = text.matchAll(new RegExp(`^${field}:\\s+(\\d+) kB`, 'gm'));
  return [...found].reduce((sum, [, number]) => sum + Number(number), 0) * 1024;
}

export function memoryOf(pids: number[]): Memory {
  const texts = pids.map((pid) => read(`/proc/${pid}/smaps_rollup`));
  const sum = (field: string) => texts.reduce((bytes, text) => bytes + kibibytes(text, field), 0);
  return { residentBytes: sum('Rss'), privateBytes: sum('Private_(?:Clean|Dirty)') };
}

/** The processes between a supervisor and its command: they are in the shim's session, the command is not. */
export function shimOf(supervisor: number): number[] {
  const [shim] = childrenOf(supervisor);
  return shim === undefined ? [] : shimProcesses(shim);
}

/** A shim with what it has started for itself. */
export function shimProcesses(shim: number): number[] {
  const found = [shim];
  for (const pid of found) found.push(...childrenOf(pid).filter((child) => sessionOf(child) === shim));
  return found;
}
