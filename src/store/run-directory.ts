import fs from 'node:fs';
import path from 'node:path';
import { type OutputLost, outputLostBy } from '../model/output-lost.js';
import { mapReading, type Reading, readingOf } from '../model/reading.js';
import type { Exit, RunEvent, RunLog, RunRecord, RunReport } from '../model/run.js';
import { signalName } from '../model/signals.js';
import { makeDirectory } from './make-directory.js';
import { openForAppend } from './open-own-file.js';
import { privateHome } from './private-home.js';
import { readJson } from './read-json.js';
import { writeWhole } from './write-whole.js';

const files = {
  record: 'run.json',
  exit: 'exit',
  pid: 'pid',
  claim: 'claim',
  unlogged: 'unlogged',
  shellSaid: 'shell-said',
  events: 'events.jsonl',
  report: 'report.json',
} as const;

/** As long as any status the shim writes: it overwrites this in place, which a full disk cannot refuse. */
const exitUnwritten = `${' '.repeat(15)}\n`;

/** Whatever else is in a run's directory may have been written by anybody. */
const smallMax = 64 * 1024;

/** A shim needs less than this between making the file and writing its name into it. */
const claimWriteMs = 5000;

/** As long as the `yes` and the status that the shim overwrites it with when a log could not be written. */
const loggedWhole = 'no      \n';

/** `run_` and 12 hex digits: D1. */
export function newRunId(): string {
  const bytes = Buffer.alloc(6);
  // Loading node:crypto for six bytes takes longer than many a command.
  const random = fs.openSync('/dev/urandom', 'r');
  fs.readSync(random, bytes);
  fs.closeSync(random);
  return `run_${bytes.toString('hex')}`;
}

/** A run on disk: the truth that everybody reads. Only its owner may. */
export class RunDirectory {
  readonly path: string;
  readonly id: string;
  #removed = false;

  /** One that is there already. */
  constructor(runs: string, id: string) {
    this.id = id;
    this.path = path.join(runs, id);
  }

  /** Makes it, with everything the shim writes to already in place. Throws when the place is not writable. */
  static create(id: string, logDir: string | null): RunDirectory {
    const runs = logDir === null ? path.join(privateHome(), 'runs') : path.resolve(logDir);
    makeDirectory(runs, 0o700);
    const directory = new RunDirectory(runs, id);
    fs.mkdirSync(directory.path, { mode: 0o700 });
    try {
      fs.writeFileSync(directory.file(files.exit), exitUnwritten, { mode: 0o600 });
      // The shim opens these too, and must leave the umask to the command.
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

  /** When it ended, by the wall clock: as the shim wrote, or when somebody noticed. */
  endedMs({ provenance }: Exit): number {
    const file = this.file(provenance === 'unknown' ? files.report : files.exit);
    return fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  }

  get hasReport(): Reading<boolean> {
    return readingOf(() => fs.statSync(this.file(files.report)).size >= 0, false);
  }

  /** false: it has been removed. */
  get exists(): boolean {
    return !this.#removed;
  }

  file(name: string): string {
    return path.join(this.path, name);
  }

  /** A new log that begins with a header; what follows belongs to the command. */
  createLog(file: string, stream: RunLog['stream'], header: string): RunLog {
    const bytes = Buffer.from(header);
    fs.writeFileSync(this.file(file), bytes, { mode: 0o600 });
    return { file, stream, start: bytes.length };
  }

  writeRecord(record: RunRecord): void {
    this.writeWhole(files.record, record);
  }

  writeReport(report: RunReport): string {
    this.writeWhole(files.report, report);
    return this.file(files.report);
  }

  appendEvent(event: RunEvent): void {
    if (this.#removed) return;
    // Not kept open: a daemon has as many of these as runs.
    const fd = openForAppend(this.file(files.events));
    try {
      fs.writeSync(fd, `${JSON.stringify(event)}\n`);
    } finally {
      fs.closeSync(fd);
    }
  }

  /** null: it has not ended, as far as the shim has written. */
  readExit(): Reading<Exit | null> {
    const exit = this.#read(files.exit);
    if (exit.kind === 'unknown') return exit;
    const status = exit.value.trim();
    if (!/^\d{1,3}$/.test(status)) return { kind: 'known', value: null };
    return mapReading(this.#read(files.shellSaid), (said) => exitOf(Number(status), said));
  }

  /** Line of /proc/PID/stat of the command when it was about to start; empty: it was not. */
  readLeader(): Reading<string> {
    return mapReading(this.#read(files.pid), (line) => line.trim());
  }

  /** The same of the shim that has the right to start it, the only one; empty: none yet. */
  readKeeper(): Reading<string> {
    return mapReading(this.#read(files.claim), (line) => line.trim());
  }

  /** Whether a shim has the right to start the command, or somebody took it so that nobody does. */
  get claimed(): Reading<'not' | 'just now' | 'yes'> {
    return readingOf(() => {
      const { size, mtimeMs } = fs.statSync(this.file(files.claim));
      return size === 0 && Math.abs(Date.now() - mtimeMs) < claimWriteMs ? 'just now' : 'yes';
    }, 'not');
  }

  /** Takes the right to start the command away from every shim; false: one has it already. */
  claim(): boolean {
    try {
      fs.writeFileSync(this.file(files.claim), 'nobody\n', { mode: 0o600, flag: 'wx' });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  }

  /** Output that is not in the log, as on a full disk; null: nothing says that there is any. */
  get outputLost(): Reading<OutputLost | null> {
    return mapReading(this.#read(files.unlogged), (text) => {
      const found = /^yes(?: (\d{1,3}))?/.exec(text);
      return found === null ? null : outputLostBy(Number(found[1] ?? 1));
    });
  }

  /** What was asked; null: there is nothing of ours. */
  readRecord(): Reading<unknown> {
    return this.readJson(files.record);
  }

  /** null: there is nothing of ours. */
  readJson(name: string): Reading<unknown> {
    return readJson(this.file(name));
  }

  remove(): void {
    this.#removed = true;
    try {
      // Node's own way to remove a directory takes longer than most short commands.
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
      // What is left is removed by the next daemon, or set aside.
    }
  }

  /** Empty: not there, no file, or larger than anything we ever write. */
  #read(name: string): Reading<string> {
    const file = this.file(name);
    return readingOf(() => {
      const stat = fs.statSync(file);
      // Reading a FIFO would never end.
      return !stat.isFile() || stat.size > smallMax ? '' : fs.readFileSync(file, 'utf8');
    }, '');
  }

  /** Under a temporary name first: nobody ever reads half of it. */
  writeWhole(name: string, content: unknown): void {
    writeWhole(this.file(name), content);
  }
}

/**
 * A shell reports signal N as 128 + N, and so may a program exit by itself. Which of the two it was is known
 * only because the shell names the signal on its own stderr ("Killed").
 */
function exitOf(code: number, shellSaid: string): Exit {
  const signal = code > 128 && shellSaid.trim() !== '' ? signalName(code - 128) : null;
  return { code, signal, provenance: 'recorded' };
}
