import fs from 'node:fs';
import path from 'node:path';
import { mapReading, type Reading, readingOf } from '../model/facts/reading.js';
import { signalName } from '../model/facts/signals.js';
import { type OutputLost, outputLostBy } from '../model/run/output-lost.js';
import type { Exit, RunEvent, RunLog, RunRecord, RunReport } from '../model/run/run.js';
import { makeDirectory, openForAppend, readJson, writeWhole } from './files.js';
import { privateHome } from './state-home.js';

const files = {
  record: 'run.json',
  exit: 'exit',
  pid: 'pid',
  claim: 'claim',
  unlogged: 'unlogged',
  shellSaid: 'shell-said',
  events: 'events.jsonl',
  report: 'report.json',
  inHistory: 'in-history',
} as const;

/** As long as any status the shim writes: the shim overwrites it in place, which works on a full disk. */
const exitUnwritten = `${' '.repeat(15)}\n`;

/** A larger file in a run directory was not written by Unstuck. */
const smallMax = 64 * 1024;

/** A shim needs less than this between creating the file and writing its identity into it. */
const claimWriteMs = 5000;

/** As long as the `yes` and the status with which the shim overwrites it when a log could not be written. */
const loggedWhole = 'no      \n';

/** A run on disk, which is the source of truth for all readers. Readable by its owner only. */
export class RunDirectory {
  readonly path: string;
  readonly id: string;
  #removed = false;

  /** An existing run directory. */
  constructor(runs: string, id: string) {
    this.id = id;
    this.path = path.join(runs, id);
  }

  /** The state home that its runs are in. */
  get home(): string {
    return path.resolve(this.path, '../..');
  }

  /** Creates it, with every file the shim writes to. Throws when the place is not writable. */
  static create(id: string, logDir: string | null): RunDirectory {
    const runs = logDir === null ? path.join(privateHome(), 'runs') : path.resolve(logDir);
    makeDirectory(runs, 0o700);
    const directory = new RunDirectory(runs, id);
    fs.mkdirSync(directory.path, { mode: 0o700 });
    try {
      fs.writeFileSync(directory.file(files.exit), exitUnwritten, { mode: 0o600 });
      // The shim opens these too, and must not change the umask of the command.
      for (const name of [files.pid, files.shellSaid]) {
        fs.writeFileSync(directory.file(name), '', { mode: 0o600 });
      }
      fs.writeFileSync(directory.file(files.unlogged), loggedWhole, { mode: 0o600 });
    } catch (error) {
      directory.remove();
      throw error;
    }
    return directory;
  }

  /** When it ended, by the wall clock: as the shim recorded, or when the end was noticed. */
  endedMs({ provenance }: Exit): number {
    const file = this.file(provenance === 'unknown' ? files.report : files.exit);
    return fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  }

  get hasReport(): Reading<boolean> {
    return readingOf(() => fs.statSync(this.file(files.report)).size >= 0, false);
  }

  /** The run need not be added to the history of its command any more. */
  get isInHistory(): Reading<boolean> {
    return readingOf(() => fs.statSync(this.file(files.inHistory)).size >= 0, false);
  }

  markInHistory(): void {
    fs.writeFileSync(this.file(files.inHistory), '', { mode: 0o600 });
  }

  /** false: removed by this process. */
  get exists(): boolean {
    return !this.#removed;
  }

  file(name: string): string {
    return path.join(this.path, name);
  }

  /** Creates a log that begins with a header; the rest is output of the command. */
  createLog(file: string, stream: RunLog['stream'], header: string): RunLog {
    const bytes = Buffer.from(header);
    fs.writeFileSync(this.file(file), bytes, { mode: 0o600 });
    return { file, stream, start: bytes.length };
  }

  writeRecord(record: RunRecord): void {
    this.writeWhole(files.record, record);
  }

  /** Records the command where no shim does: its line of /proc/PID/stat. */
  writeLeader(stat: string): void {
    fs.writeFileSync(this.file(files.pid), stat, { mode: 0o600 });
  }

  get reportFile(): string {
    return this.file(files.report);
  }

  writeReport(report: RunReport): string {
    this.writeWhole(files.report, report);
    return this.reportFile;
  }

  appendEvent(event: RunEvent): void {
    if (this.#removed) return;
    // Not kept open: a daemon has one per run.
    const fd = openForAppend(this.file(files.events));
    try {
      fs.writeSync(fd, `${JSON.stringify(event)}\n`);
    } finally {
      fs.closeSync(fd);
    }
  }

  /** null: the shim has recorded no end. */
  readExit(): Reading<Exit | null> {
    const exit = this.#read(files.exit);
    if (exit.kind === 'unknown') return exit;
    const status = exit.value.trim();
    if (!/^\d{1,3}$/.test(status)) return { kind: 'known', value: null };
    return mapReading(this.#read(files.shellSaid), (said) => exitOf(Number(status), said));
  }

  /** The line of /proc/PID/stat of the command just before it started; empty: it was not about to start. */
  readLeader(): Reading<string> {
    return mapReading(this.#read(files.pid), (line) => line.trim());
  }

  /** Whether that line is there, at the cost of one look. true where that cannot be seen: then everything is read. */
  get hasLeader(): boolean {
    try {
      return fs.statSync(this.file(files.pid)).size > 0;
    } catch {
      return true;
    }
  }

  /** The same line of the one shim that may start the command; empty: none yet. */
  readShim(): Reading<string> {
    return mapReading(this.#read(files.claim), (line) => line.trim());
  }

  /** Whether a shim may start the command, or the right was taken so that none does. */
  get claimed(): Reading<'not' | 'just now' | 'yes'> {
    return readingOf(() => {
      const stat = fs.statSync(this.file(files.claim), { throwIfNoEntry: false });
      if (stat === undefined) return 'not';
      return stat.size === 0 && Math.abs(Date.now() - stat.mtimeMs) < claimWriteMs ? 'just now' : 'yes';
    }, 'not');
  }

  /** Takes the right to start the command from every shim; false: a shim has it already. */
  claim(): boolean {
    try {
      fs.writeFileSync(this.file(files.claim), 'nobody\n', { mode: 0o600, flag: 'wx' });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  }

  /** Output that is missing in the log, as on a full disk; null: no loss is recorded. */
  get outputLost(): Reading<OutputLost | null> {
    return mapReading(this.#read(files.unlogged), (text) => {
      const found = /^yes(?: (\d{1,3}))?/.exec(text);
      return found === null ? null : outputLostBy(Number(found[1] ?? 1));
    });
  }

  /** The recorded request; null: missing or not JSON. */
  readRecord(): Reading<unknown> {
    return this.readJson(files.record);
  }

  /** null: missing or not JSON. */
  readJson(name: string): Reading<unknown> {
    return readJson(this.file(name));
  }

  remove(): void {
    this.#removed = true;
    try {
      // `fs.rmSync` takes longer than most short commands.
      for (const name of fs.readdirSync(this.path)) fs.unlinkSync(this.file(name));
      fs.rmdirSync(this.path);
    } catch {
      this.#removeSlowly();
    }
  }

  #removeSlowly(): void {
    try {
      fs.rmSync(this.path, { recursive: true, force: true });
    } catch {
      // The next daemon removes or sets aside what is left.
    }
  }

  /** Empty: missing, not a regular file, or larger than anything Unstuck writes. */
  #read(name: string): Reading<string> {
    const file = this.file(name);
    return readingOf(() => {
      // Most of these files are missing or empty: without an error and a read that costs little.
      const stat = fs.statSync(file, { throwIfNoEntry: false });
      if (stat === undefined || stat.size === 0) return '';
      // Reading a FIFO would never end.
      return !stat.isFile() || stat.size > smallMax ? '' : fs.readFileSync(file, 'utf8');
    }, '');
  }

  /** Replaces the beginning of a file in place, which works on a full disk. The file stays readable by its owner only. */
  overwrite(name: string, text: string): void {
    const fd = fs.openSync(this.file(name), fs.constants.O_WRONLY | fs.constants.O_CREAT, 0o600);
    try {
      fs.writeSync(fd, text);
    } finally {
      fs.closeSync(fd);
    }
  }

  /** Writes under a temporary name first, so readers never see half of it. */
  writeWhole(name: string, content: unknown): void {
    writeWhole(this.file(name), content);
  }
}

/**
 * A shell reports signal N as 128 + N, and a program may exit with that code by itself. The two differ only because the
 * shell names the signal on its own stderr ("Killed").
 */
function exitOf(code: number, shellSaid: string): Exit {
  const signal = code > 128 && shellSaid.trim() !== '' ? signalName(code - 128) : null;
  return { code, signal, provenance: 'recorded' };
}
