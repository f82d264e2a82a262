import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as z from 'zod/mini';
import { valueOr } from '../model/facts/reading.js';
import { isInside } from '../text/is-inside.js';
import { daemonFile } from './daemon-files.js';
import { readJson, writeWhole } from './files.js';
import { readRecord } from './read-record.js';
import { RunDirectory } from './run-directory.js';
import { listRuns } from './run-ids.js';

/** Only the most recently used directories are kept. */
const dirsMax = 256;
const dirCharsMax = 4096;

const dir = z.string().check(z.startsWith('/'), z.maxLength(dirCharsMax));
const content = z.object({ dirs: z.array(dir).check(z.maxLength(dirsMax)) });

/**
 * Working directories of the runs of a state home, now and before. A run is removed long before its leftovers are old
 * enough to be reported, so the directories have a file of their own.
 */
export class Projects {
  readonly #home: string;
  readonly #file: string;
  #seen: ReadonlySet<string> = new Set();
  /** Most recently used last. */
  #dirs: string[];

  constructor(home: string) {
    this.#home = home;
    this.#file = daemonFile(home, 'projects');
    const kept = content.safeParse(valueOr(readJson(this.#file), null));
    this.#dirs = kept.success ? kept.data.dirs : [];
  }

  /** Each run is read once. */
  list(): readonly string[] {
    const runs = path.join(this.#home, 'runs');
    const listed = listRuns(runs);
    if (listed.kind === 'unknown') return this.#dirs;
    const seen = new Set<string>();
    const dirs: string[] = [];
    for (const id of listed.value) {
      const record = this.#seen.has(id) ? null : new RunDirectory(runs, id).readRecord();
      // A record that cannot be read now is read next time.
      if (record?.kind === 'unknown') continue;
      seen.add(id);
      const dir = record === null ? null : projectOf(record.value);
      if (dir !== null) dirs.push(dir);
    }
    this.#seen = seen;
    if (dirs.length > 0) this.#add(dirs);
    return this.#dirs;
  }

  #add(dirs: readonly string[]): void {
    const before = this.#dirs.join('\0');
    this.#dirs = [...new Set([...this.#dirs.filter((dir) => !dirs.includes(dir)), ...dirs])].slice(-dirsMax);
    if (this.#dirs.join('\0') === before) return;
    try {
      writeWhole(this.#file, { dirs: this.#dirs });
    } catch {
      // A full disk: they are kept in memory only.
    }
  }
}

/** null: not known, or too wide to be a project (the home or temporary directory, or one that contains it). */
function projectOf(content: unknown): string | null {
  const record = readRecord(content);
  if (typeof record === 'string' || record.cwd.length > dirCharsMax) return null;
  try {
    const dir = fs.realpathSync(record.cwd);
    return [os.homedir(), os.tmpdir()].some((wide) => isInside(wide, dir)) ? null : dir;
  } catch {
    return null;
  }
}
