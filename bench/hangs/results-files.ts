import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parseSavedRun, type SavedRun } from './saved-run.js';

/** Whose rights a run had. Each has a file of its own, so that either can be measured anew without the other. */
export type Rights = 'root' | 'user';

const directory = 'bench/results';
const bytesMax = 4 * 2 ** 20;
const endings: Record<Rights, string> = { root: '-hangs.json', user: '-hangs-user.json' };

function isOf(rights: Rights, name: string): boolean {
  return /^\d{4}-\d\d-\d\d-/.test(name) && name.slice(10) === endings[rights];
}

/** Names of result files in the checkout, oldest first. */
export function resultsOf(root: string, rights: Rights): string[] {
  const names = readdirSync(join(root, directory)).filter((name) => isOf(rights, name));
  return names.sort().map((name) => `${directory}/${name}`);
}

/** The name of the file. */
export function writeResults(root: string, rights: Rights, run: SavedRun): string {
  const name = `${directory}/${new Date().toISOString().slice(0, 10)}${endings[rights]}`;
  mkdirSync(join(root, directory), { recursive: true });
  writeFileSync(join(root, name), `${JSON.stringify(run, null, 2)}\n`);
  return name;
}

/** Root reads what a normal user wrote: no link to a file of somebody else, and nothing that is no result. */
export function readResults(root: string, name: string): SavedRun {
  const fd = openSync(join(root, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { size } = fstatSync(fd);
    if (size > bytesMax) throw new Error(`${name} is too large: ${size} bytes`);
    return parseSavedRun(readFileSync(fd, 'utf8'));
  } finally {
    closeSync(fd);
  }
}
