import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Files of snapshot version 1, never to be changed or taken away: they must load for ever. */
const frozenDir = new URL('./v1/', import.meta.url);

/** What the cases recorded; may be recorded again. */
const recordedDir = new URL('../../fixtures/snapshots/', import.meta.url);

function texts(directory: URL, extension: string): [name: string, text: string][] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => name.endsWith(extension))
    .sort()
    .map((name) => [name, readFileSync(new URL(name, directory), 'utf8')]);
}

export const frozenSnapshots = (): [name: string, text: string][] => texts(frozenDir, '.snapshot');

export const recordedSnapshots = (): [name: string, text: string][] => texts(recordedDir, '.json');
