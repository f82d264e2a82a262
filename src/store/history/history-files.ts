import fs from 'node:fs';
import path from 'node:path';
import { isMissing } from '../../model/facts/reading.js';
import type { HistoryKey, PastRun } from '../../model/run/past-run.js';
import { makeDirectory, openForAppend, openOwnFile } from '../files.js';
import { formatLine, type HistoryLine, lineStart, parseLine } from './history-line.js';

/** In the state home. */
export const historyFolder = 'history';

/** A file of this size is full: the next line begins another one. It holds more than the 200 lines that count. */
const fullBytes = 192 * 1024;
/** A larger file was not written by Unstuck. */
const bytesMax = 4 * fullBytes;
/** The full one before, and the one that grows. */
const filesKept = 2;
/** Histories of more commands than this: those that were not used for the longest time go. */
const commandsMax = 1000;
/** So many go at once. */
const commandsDropped = 50;

const namePattern = /^(\d{1,9})\.jsonl$/;
const idPattern = /^[0-9a-f]{16}$/;

/**
 * The history of one command: a directory with numbered files, of which only the last one grows. A line is one appending
 * write, no file is ever rewritten or renamed, and a line is known by the id of its run. So several supervisors may write
 * at once, and a supervisor may be killed at any moment.
 */
export class HistoryFiles {
  readonly #folder: string;
  readonly #dir: string;

  constructor(home: string, id: string) {
    this.#folder = path.join(home, historyFolder);
    this.#dir = path.join(this.#folder, id);
  }

  /** Adds a run, unless it is there. Throws when nothing can be written. */
  append(run: PastRun, key: HistoryKey): void {
    this.#make();
    const numbers = this.#numbers();
    const last = numbers.at(-1) ?? 1;
    const text = this.#textOrNothing(last);
    const isFull = Buffer.byteLength(text) >= fullBytes;
    const there = isFull ? '' : text;
    const number = isFull ? last + 1 : last;
    for (const old of numbers) if (old <= number - filesKept) fs.rmSync(this.#file(old), { force: true });
    if (has(there, run.id)) return;
    const fd = openForAppend(this.#file(number));
    try {
      const isTorn = there !== '' && !there.endsWith('\n');
      fs.writeSync(fd, `${isTorn ? '\n' : ''}${formatLine(run, key)}\n`);
    } finally {
      fs.closeSync(fd);
    }
  }

  /** The last runs, oldest first. Lines that cannot be read are left out. Throws when a read fails. */
  read(max: number): HistoryLine[] {
    const texts: string[] = [];
    for (const number of this.#numbers().reverse()) {
      texts.unshift(...this.#text(number).split('\n'));
      if (texts.length >= max) break;
    }
    const found = new Map<string, HistoryLine>();
    for (let at = texts.length - 1; at >= 0 && found.size < max; at--) {
      const line = parseLine(texts[at] as string);
      if (line !== null) found.set(line.id, line);
    }
    return [...found.values()].reverse();
  }

  /** Removes the history; false: there was none. */
  forget(): boolean {
    const hidden = path.join(this.#folder, `.forgotten-${path.basename(this.#dir)}-${process.pid}`);
    try {
      // Another supervisor may add a line meanwhile: to a directory of its own.
      fs.renameSync(this.#dir, hidden);
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
    fs.rmSync(hidden, { recursive: true, force: true });
    return true;
  }

  /** The text of a file. One without a single line of a history is set aside. */
  #textOrNothing(number: number): string {
    const file = this.#file(number);
    const stat = fs.lstatSync(file, { throwIfNoEntry: false });
    if (stat === undefined || !stat.isFile() || stat.size === 0) return '';
    const text = stat.size <= bytesMax ? this.#text(number) : '';
    if (text.includes(lineStart)) return text;
    fs.renameSync(file, `${file}.set-aside`);
    return '';
  }

  #make(): void {
    try {
      fs.mkdirSync(this.#dir, { mode: 0o700 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
      makeDirectory(this.#dir, 0o700);
    }
    dropUnused(this.#folder);
  }

  #file(number: number): string {
    return path.join(this.#dir, `${number}.jsonl`);
  }

  /** Numbers of the files, in their order. */
  #numbers(): number[] {
    try {
      return fs
        .readdirSync(this.#dir)
        .flatMap((name) => Number(namePattern.exec(name)?.[1] ?? []))
        .sort((a, b) => a - b);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  /** Empty: it is gone, or not a file of Unstuck. */
  #text(number: number): string {
    let fd: number;
    try {
      fd = openOwnFile(this.#file(number));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (isMissing(error) || code === 'ELOOP' || code === undefined) return '';
      throw error;
    }
    try {
      return readAll(fd)?.toString('utf8') ?? '';
    } finally {
      fs.closeSync(fd);
    }
  }
}

/** null: too large. */
function readAll(fd: number): Buffer | null {
  const { size } = fs.fstatSync(fd);
  if (size > bytesMax) return null;
  const bytes = Buffer.allocUnsafe(size);
  return bytes.subarray(0, fs.readSync(fd, bytes, 0, size, 0));
}

/** A torn line that begins with the id is not the run. */
function has(text: string, id: string): boolean {
  if (!text.includes(`"id":"${id}"`)) return false;
  return text.split('\n').some((line) => parseLine(line)?.id === id);
}

/** Ids of all commands with a history, most recently used first. */
export function historyIds(home: string): string[] {
  return byUse(path.join(home, historyFolder)).map(({ id }) => id);
}

function byUse(folder: string): { id: string; usedMs: number }[] {
  let names: string[];
  try {
    names = fs.readdirSync(folder).filter((name) => idPattern.test(name));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
  return names
    .map((id) => ({ id, usedMs: usedMs(path.join(folder, id)) }))
    .sort((a, b) => b.usedMs - a.usedMs);
}

function usedMs(dir: string): number {
  try {
    const times = fs.readdirSync(dir).map((name) => fs.statSync(path.join(dir, name)).mtimeMs);
    return Math.max(fs.statSync(dir).mtimeMs, ...times);
  } catch {
    return 0;
  }
}

function dropUnused(folder: string): void {
  if (fs.readdirSync(folder).length <= commandsMax) return;
  for (const { id } of byUse(folder).slice(commandsMax - commandsDropped)) {
    fs.rmSync(path.join(folder, id), { recursive: true, force: true });
  }
}
