import fs from 'node:fs';
import { type Absent, isAbsent } from '../../../../model/facts/absence.js';
import type { Memory } from '../../proc/mem.js';
import type { ProcDir } from '../../proc/proc-dir.js';
import { attempt } from '../../proc/proc-file.js';
import { readLinkedStart, readSymbols } from '../elf-symbols.js';
import type { GoMemo } from './module.js';
import { type Part, searchPlaces } from './search.js';

/** Where the runtime keeps its facts about goroutines. */
export interface GoPlaces {
  /** The list of all goroutines. */
  goroutines: number;
  /** The names of the reasons to wait. */
  reasons: number;
  /** Where the goroutine that takes signals for the program sleeps; null: not known. */
  signals: number | null;
}

/** The places in one process, with the variables of its program. */
export interface LoadedPlaces extends GoPlaces {
  variables: Part[];
}

const symbols = {
  goroutines: 'runtime.allgs',
  reasons: 'runtime.waitReasonStrings',
  signals: 'runtime.sig',
} as const;

const executablesMax = 64;
/** Limit of searches: a program that has only just started has no list yet. */
const searchesMax = 3;

/** What is known of an executable: places counted from its first page, or the number of failed searches. */
type Known = { places: GoPlaces } | { searches: number };

/** By device, inode and time of change: tables and variables may be megabytes long. */
const known = new Map<string, Known>();

function remember(key: string, found: Known): void {
  known.delete(key);
  known.set(key, found);
  for (const oldest of known.keys()) if (known.size > executablesMax) known.delete(oldest);
}

const moved = ({ goroutines, reasons, signals }: GoPlaces, by: number): GoPlaces => ({
  goroutines: goroutines + by,
  reasons: reasons + by,
  signals: signals === null ? null : signals + by,
});

/** An executable as loaded in a process. */
interface Loaded {
  start: number;
  /** Its variables. */
  data: Part[];
}

/** `55d0c0a00000-55d0c0a21000 rw-p 00000000 fe:00 2146322    /usr/bin/x` */
const mapping = /^([0-9a-f]+)-([0-9a-f]+) (\S+) ([0-9a-f]+) \S+ \d+ *(.*)$/;

export function findLoaded(maps: string, executable: string): Loaded | null {
  let start: number | null = null;
  let end = 0;
  const data: Part[] = [];
  for (const line of maps.split('\n')) {
    const match = mapping.exec(line);
    if (match === null) continue;
    const [from, to] = [Number.parseInt(match[1] ?? '', 16), Number.parseInt(match[2] ?? '', 16)];
    // Variables that begin as zero have no place in the file: they follow the mapping of the file.
    const own = match[5] === executable || (match[5] === '' && from === end);
    if (!own) continue;
    if (start === null && /^0+$/.test(match[4] ?? '')) start = from;
    if (match[3]?.startsWith('rw') === true) data.push({ from, to });
    end = to;
  }
  return start === null ? null : { start, data };
}

/** Counted from the first page, whether the program was linked to an address or can be loaded anywhere. */
function placesOfSymbols(path: string): GoPlaces | null {
  const found = readSymbols(path, Object.values(symbols), 'full');
  const goroutines = found?.get(symbols.goroutines);
  const reasons = found?.get(symbols.reasons);
  if (goroutines === undefined || reasons === undefined) return null;
  const start = readLinkedStart(path);
  const places = { goroutines, reasons, signals: found?.get(symbols.signals) ?? null };
  return start === null ? null : moved(places, -start);
}

function findPlaces(key: string, path: string, memory: Memory, loaded: Loaded): GoPlaces | null {
  const before = known.get(key) ?? { searches: 0 };
  if ('places' in before) return before.places;
  if (before.searches >= searchesMax) return null;
  const named = before.searches === 0 ? placesOfSymbols(path) : null;
  const searched = named === null ? searchPlaces(memory, loaded.data) : null;
  const places = searched === null ? named : moved({ ...searched, signals: null }, -loaded.start);
  remember(key, places === null ? { searches: before.searches + 1 } : { places });
  return places;
}

const memosMax = 4;

/** By executable and address: the same program may be loaded at several addresses. */
const memos = new Map<string, GoMemo>();

export function readGoMemo(dir: ProcDir, { variables }: LoadedPlaces): GoMemo {
  const stat = attempt(() => fs.statSync(dir.path('exe')));
  const fresh: GoMemo = { record: null, spans: null, named: new Map(), objects: undefined };
  if (isAbsent(stat)) return { ...fresh, objects: null };
  const key = `${stat.dev} ${stat.ino} ${stat.mtimeMs} ${variables[0]?.from ?? 0}`;
  const kept = memos.get(key) ?? fresh;
  memos.set(key, kept);
  for (const oldest of memos.keys()) if (memos.size > memosMax) memos.delete(oldest);
  return kept;
}

/** The places in the memory of this process; `unsupported`: they were not found. */
export function readGoPlaces(dir: ProcDir, memory: Memory): LoadedPlaces | Absent {
  const executable = dir.link('exe');
  if (isAbsent(executable)) return executable;
  const path = dir.path('exe');
  const stat = attempt(() => fs.statSync(path));
  if (isAbsent(stat)) return stat;
  const maps = dir.text('maps');
  if (isAbsent(maps)) return maps;
  const loaded = findLoaded(maps, executable);
  if (loaded === null) return { absent: 'unsupported' };
  // Without the right to read there is no search, so none is counted as failed.
  const first = memory.read(BigInt(loaded.start), 1);
  if (isAbsent(first)) return first;
  const places = findPlaces(`${stat.dev} ${stat.ino} ${stat.mtimeMs}`, path, memory, loaded);
  if (places === null) return { absent: 'unsupported' };
  return { ...moved(places, loaded.start), variables: loaded.data };
}
