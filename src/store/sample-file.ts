import fs from 'node:fs';
import { type SamplePoint, thinPoints } from '../model/run/sample-points.js';
import { openForAppend, openOwnFile } from './files.js';
import type { RunDirectory } from './run-directory.js';

const fileName = 'samples.jsonl';
/** More than the file ever has. */
const bytesMax = 4 * 1024 * 1024;

/** The samples of a run on disk: one array per line, in the order of `lineOf`. */
export class SampleFile {
  readonly #directory: RunDirectory;

  constructor(directory: RunDirectory) {
    this.#directory = directory;
  }

  /** A missing file has no points. Lines that are not points, as after a crash, are left out. */
  read(): SamplePoint[] {
    let text: string;
    try {
      const fd = openOwnFile(this.#path);
      try {
        if (fs.fstatSync(fd).size > bytesMax) return [];
        text = fs.readFileSync(fd, 'utf8');
      } finally {
        fs.closeSync(fd);
      }
    } catch {
      return [];
    }
    return text.split('\n').flatMap((line) => pointOf(line) ?? []);
  }

  append(points: readonly SamplePoint[]): void {
    const fd = openForAppend(this.#path);
    try {
      fs.writeSync(fd, textOf(points));
    } finally {
      fs.closeSync(fd);
    }
  }

  /** Replaces all points by fewer. */
  thin(): number {
    const points = thinPoints(this.read());
    const { O_WRONLY, O_CREAT, O_TRUNC } = fs.constants;
    const temporary = this.#directory.file(`.${fileName}.tmp`);
    const fd = openOwnFile(temporary, O_WRONLY | O_CREAT | O_TRUNC);
    try {
      fs.writeFileSync(fd, textOf(points));
    } finally {
      fs.closeSync(fd);
    }
    fs.renameSync(temporary, this.#path);
    return points.length;
  }

  get #path(): string {
    return this.#directory.file(fileName);
  }
}

function textOf(points: readonly SamplePoint[]): string {
  return points.map((point) => `${JSON.stringify(lineOf(point))}\n`).join('');
}

function lineOf({ atMs, forMs, cpuPercent, residentBytes, ioBytes, outputBytes }: SamplePoint) {
  return [atMs, forMs, cpuPercent, residentBytes, ioBytes, outputBytes];
}

function pointOf(line: string): SamplePoint | null {
  let given: unknown;
  try {
    given = JSON.parse(line);
  } catch {
    return null;
  }
  if (!Array.isArray(given) || given.length < 6) return null;
  const [atMs, forMs, cpuPercent, residentBytes, ioBytes, outputBytes] = given;
  const numbers = [atMs, forMs, cpuPercent, residentBytes, ioBytes ?? 0, outputBytes];
  if (!numbers.every((value) => Number.isFinite(value) && value >= 0)) return null;
  return { atMs, forMs, cpuPercent, residentBytes, ioBytes, outputBytes };
}
