import { lstatSync } from 'node:fs';
import path from 'node:path';
import { printable } from '../text/printable.js';

/** The directory that relative paths of a source start from, and whether a path may leave it. */
export interface PathRules {
  baseDir: string;
  confined: boolean;
  home: string | null;
}

const pathLengthMax = 4096;

/** The first part below the directory that is a symbolic link: its target may be outside. */
function symbolicLinkIn(dir: string, inside: string): string | null {
  let at = dir;
  for (const part of inside.split(path.sep)) {
    at = path.join(at, part);
    const stat = lstatSync(at, { throwIfNoEntry: false });
    if (stat === undefined) return null;
    if (stat.isSymbolicLink()) return at;
  }
  return null;
}

function confinement(file: string, dir: string): string | null {
  const inside = path.relative(dir, file);
  if (inside.split(path.sep)[0] === '..' || path.isAbsolute(inside)) return `which is outside ${dir}`;
  try {
    const link = symbolicLinkIn(dir, inside);
    return link === null ? null : `which leads through the symbolic link ${printable(link)}`;
  } catch (error) {
    return `which cannot be checked (${(error as NodeJS.ErrnoException).code})`;
  }
}

/** Returns an absolute path. `~/` is the home directory in every source: shells do not expand `--report=~/x`. */
export function readPath(
  raw: unknown,
  { baseDir, confined, home }: PathRules,
): { value: string | null } | { complaint: string; hint: string } {
  if (raw === null || raw === '') return { value: null };
  if (typeof raw !== 'string' || raw.length > pathLengthMax || printable(raw) !== raw) {
    return {
      complaint: `which is not a path of at most ${pathLengthMax} characters`,
      hint: 'write one path without control characters',
    };
  }
  const expanded = home !== null && /^~(\/|$)/.test(raw) ? home + raw.slice(1) : raw;
  const value = path.resolve(baseDir, expanded);
  const complaint = confined ? confinement(value, baseDir) : null;
  if (complaint === null) return { value };
  return {
    complaint,
    hint: 'a project file may only name files below its own directory; use a flag or a variable for other files',
  };
}
