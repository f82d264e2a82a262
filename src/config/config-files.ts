import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { printable } from '../text/printable.js';

const fileBytesMax = 64 * 1024;

export const projectFileName = 'unstuck.json';

/** A configuration file that was searched for. */
export interface ConfigFile {
  role: 'project file' | 'user file';
  file: string;
  found: boolean;
  /** Not found there or in any parent directory up to this one. */
  upTo?: string;
}

/** null: missing, or in a directory that we may not enter. */
function statOrNull(file: string): Stats | null {
  try {
    return statSync(file, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

/** The nearest file, from the directory up to the top of the repository (the first with .git) or the root. */
export function findProjectFile(cwd: string): ConfigFile {
  for (let dir = cwd; ; dir = path.dirname(dir)) {
    const file = path.join(dir, projectFileName);
    if (statOrNull(file) !== null) return { role: 'project file', file, found: true };
    if (dir === path.dirname(dir) || statOrNull(path.join(dir, '.git')) !== null)
      return { role: 'project file', file: path.join(cwd, projectFileName), found: false, upTo: dir };
  }
}

/** A file in the directory for configuration of the user; null: there is no home directory. */
export function userConfigFile(env: NodeJS.ProcessEnv, home: string | null, name: string): string | null {
  // The XDG specification says that a relative path is ignored.
  const xdg = env.XDG_CONFIG_HOME;
  const configHome = xdg && path.isAbsolute(xdg) ? xdg : home === null ? null : path.join(home, '.config');
  return configHome === null ? null : path.join(configHome, 'unstuck', name);
}

/** null: there is no home directory. */
export function findUserFile(env: NodeJS.ProcessEnv, home: string | null): ConfigFile | null {
  const file = userConfigFile(env, home, 'config.json');
  if (file === null) return null;
  return { role: 'user file', file, found: statOrNull(file) !== null };
}

/** Configuration is accepted from our own user and root. */
function isTrusted(uid: number): boolean {
  return uid === 0 || uid === process.getuid?.();
}

function readBounded(fd: number): string {
  const buffer = Buffer.allocUnsafe(fileBytesMax + 1);
  let length = 0;
  for (;;) {
    const count = readSync(fd, buffer, length, buffer.length - length, length);
    length += count;
    if (count === 0 || length === buffer.length) return buffer.toString('utf8', 0, length);
  }
}

export type FileReading = { entries: [key: string, value: unknown][] } | { complaint: string; hint: string };

/** The keys and values of a file. It is data only: nothing in it is executed. */
export function readConfigFile({ role, file }: ConfigFile): FileReading {
  let text: string;
  try {
    // O_NONBLOCK: do not wait for the writer of a FIFO.
    const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(fd);
      const complaint = refusal(stat, role);
      if (complaint !== null) return complaint;
      text = readBounded(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { complaint: `cannot be read (${code})`, hint: 'make it readable or move it away' };
  }
  return parseEntries(text);
}

function refusal(stat: Stats, role: ConfigFile['role']): { complaint: string; hint: string } | null {
  if (!stat.isFile())
    return { complaint: 'is not a regular file', hint: 'move it away or write a JSON object' };
  if (stat.size > fileBytesMax) {
    return {
      complaint: `has ${stat.size} bytes, more than ${fileBytesMax}`,
      hint: 'keep only settings in it; list them with: unstuck config',
    };
  }
  if (role === 'project file' && !isTrusted(stat.uid)) {
    return {
      complaint: `belongs to another user (uid ${stat.uid})`,
      hint: 'if you trust it, take ownership with chown; or ignore it: --no-project-file',
    };
  }
  return null;
}

function parseEntries(text: string): FileReading {
  const hint = 'write settings like this: {"timeout": "10m", "killOn": "certain"}';
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return { complaint: `is not JSON (${printable((error as Error).message)})`, hint };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { complaint: 'is not a JSON object', hint };
  return { entries: Object.entries(value) };
}
