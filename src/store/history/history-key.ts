import fs from 'node:fs';
import path from 'node:path';
import type { HistoryKey } from '../../model/run/past-run.js';
import { redact } from '../../redact/redact.js';
import { checksum } from '../../text/checksum.js';

/** A larger `.git` file was not written by git. */
const gitFileBytesMax = 4096;

/**
 * The key of a command: what it is, and in which directory of which project it runs. `given`: takes the place of
 * everything else.
 */
export function historyKey(command: string, cwd: string, given: string | null): HistoryKey {
  if (given !== null) {
    const name = redact(given);
    return { id: checksum(`key\0${name}`), command: name, project: null, directory: '' };
  }
  const { project, directory } = projectOf(realPath(cwd));
  return { id: checksum(`${command}\0${project}\0${directory}`), command, project, directory };
}

/** All work trees of a repository are the same project. */
function projectOf(cwd: string): { project: string; directory: string } {
  for (let dir = cwd; ; dir = path.dirname(dir)) {
    const git = statOrNull(path.join(dir, '.git'));
    if (git !== null) {
      const project = git.isFile() ? (mainTreeOf(path.join(dir, '.git')) ?? dir) : dir;
      return { project, directory: path.relative(dir, cwd) };
    }
    if (dir === path.dirname(dir)) return { project: cwd, directory: '' };
  }
}

/** `gitdir: /repo/.git/worktrees/name` names the repository of a work tree; null: it is something else. */
function mainTreeOf(file: string): string | null {
  try {
    if (fs.statSync(file).size > gitFileBytesMax) return null;
    const found = /^gitdir: (\/.*)\/\.git\/worktrees\/[^/]+$/.exec(fs.readFileSync(file, 'utf8').trim());
    return found?.[1] ?? null;
  } catch {
    return null;
  }
}

function statOrNull(file: string): fs.Stats | null {
  try {
    return fs.statSync(file, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

function realPath(dir: string): string {
  try {
    return fs.realpathSync(dir);
  } catch {
    return dir;
  }
}
