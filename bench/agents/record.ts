import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cast } from './cast.js';

/** More letters or lines of one letter than this are written as `@repeat x 100000@`, `@repeat x\n 100000@`. */
const repeatsMin = 500;
/** Lists of names in the first line of a stream (tools, commands, models) are cut to this. */
const namesMax = 2;

const fixtures = 'test/fixtures/agents/recorded';

/** Ids and names of the machine: each gets a number, the same one everywhere in the stream. */
const ids =
  /\b(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?:ses|msg|prt|req)_\w{8,})\b/g;

function numberIds(text: string): string {
  const known = new Map<string, string>();
  return text.replace(ids, (id) => {
    const kind = id.includes('_') ? id.slice(0, id.indexOf('_')) : 'id';
    const name = known.get(id) ?? `${kind}-${known.size + 1}`;
    known.set(id, name);
    return name;
  });
}

function cutLists(line: string): string {
  try {
    const value = JSON.parse(line);
    if (value.type !== 'system' && value.type !== 'init') return line;
    for (const [key, list] of Object.entries(value))
      if (Array.isArray(list)) value[key] = list.slice(0, namesMax);
    return JSON.stringify(value);
  } catch {
    return line;
  }
}

const shortenRuns = (text: string): string =>
  text.replaceAll(
    new RegExp(`([a-z](?:\\\\n)?)\\1{${repeatsMin},}`, 'g'),
    (run, one: string) => `@repeat ${one} ${run.length / one.length}@`,
  );

/** A stream without paths of this machine and without ids. */
export function scrub(raw: string, dir: string): string {
  // Some name a folder after the path of the project.
  const plain = raw.replaceAll(dir, '/home/user').replaceAll(dir.replaceAll(/\W/g, '-'), '-home-user');
  const lines = plain.split('\n').map(cutLists);
  return shortenRuns(numberIds(lines.join('\n')));
}

/** Writes what an agent printed as a fixture of the ordinary tests: `claude-2.1.325-normal.jsonl`. */
export function recordStream(root: string, { agent, version, scene }: Cast, raw: string, dir: string): void {
  const name = `${agent.name}-${version}-${scene.name.replaceAll(/[^\w]+/g, '-')}.jsonl`;
  mkdirSync(join(root, fixtures), { recursive: true });
  writeFileSync(join(root, fixtures, name), scrub(raw, dir));
}
