import fs from 'node:fs';
import path from 'node:path';
import { openForAppend, readOwnFile } from '../files.js';

/** At this time the log had at least this much output: what comes after it was printed later. */
export interface LogTime {
  /** Wall clock. */
  atMs: number;
  /** Bytes of output, without the header. */
  bytes: number;
}

const fileName = 'times';
/** Entries closer to each other than this are left out: an open page looks at the output more often than a tick does. */
const apartMs = 4000;
/** A larger file loses every second entry. */
const fileBytesMax = 128 * 1024;

/** Records when the output of a run grew: a small file beside its log, one line per entry. */
export class LogTimes {
  readonly #file: string;
  #lastMs = 0;

  constructor(directory: string) {
    this.#file = path.join(directory, fileName);
  }

  /** An entry that cannot be written is left out: more output counts as new then. */
  note({ atMs, bytes }: LogTime): void {
    if (Math.abs(atMs - this.#lastMs) < apartMs) return;
    this.#lastMs = atMs;
    try {
      const fd = openForAppend(this.#file);
      let size = 0;
      try {
        fs.writeSync(fd, `${Math.round(atMs)} ${bytes}\n`);
        size = fs.fstatSync(fd).size;
      } finally {
        fs.closeSync(fd);
      }
      if (size > fileBytesMax) this.#thin(size);
    } catch {
      // The disk is full, or the directory was removed.
    }
  }

  #thin(size: number): void {
    const kept = parse(readOwnFile(this.#file, 0, size)).filter((_, index) => index % 2 === 1);
    const temporary = `${this.#file}.tmp`;
    fs.writeFileSync(temporary, kept.map(({ atMs, bytes }) => `${atMs} ${bytes}\n`).join(''), {
      mode: 0o600,
    });
    fs.renameSync(temporary, this.#file);
  }
}

/** Of the run in this directory, oldest first. Empty: nothing was recorded, or it cannot be read. */
export function readLogTimes(directory: string): LogTime[] {
  try {
    return parse(readOwnFile(path.join(directory, fileName), 0, 2 * fileBytesMax));
  } catch {
    return [];
  }
}

/** A line that was cut short or damaged is left out. */
function parse(bytes: Buffer): LogTime[] {
  const lines = bytes.toString('latin1').split('\n').slice(0, -1);
  return lines.flatMap((line) => {
    const [, at, count] = /^(\d{1,15}) (\d{1,15})$/.exec(line) ?? [];
    return at === undefined ? [] : [{ atMs: Number(at), bytes: Number(count) }];
  });
}

/** The first byte that may have been printed after `sinceMs`. */
export function firstByteSince(times: readonly LogTime[], sinceMs: number): number {
  return times.findLast(({ atMs }) => atMs <= sinceMs)?.bytes ?? 0;
}

/** The time of a file may be this much before its last write: the kernel may take the time of the last timer interrupt. */
const fileTimeBehindMs = 20;

/** Whether all output was printed before `sinceMs`; `writtenMs`: the time of the log file. */
export function isWrittenBefore(writtenMs: number, sinceMs: number): boolean {
  return writtenMs + fileTimeBehindMs < sinceMs;
}

/** The byte at this offset was printed after the returned time; null: not known. */
export function printedAfterMs(times: readonly LogTime[], offset: number): number | null {
  return times.findLast(({ bytes }) => bytes <= offset)?.atMs ?? null;
}
