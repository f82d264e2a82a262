import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Snapshot } from '../../src/model/facts/snapshot.js';

export const snapshotsDir = new URL('../fixtures/snapshots/', import.meta.url);

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** What belongs to the machine and not to the case: where the project lies, its user, its addresses. */
const personal: [pattern: RegExp | string, replacement: string][] = [
  [root, '/project'],
  [homedir(), '/home/user'],
  [/\/tmp\/unstuck-case-\w+/g, '/tmp/case'],
  [/("bootId":)"[^"]*"/g, '$1"00000000-0000-0000-0000-000000000000"'],
  [/("kernel":"\d+\.\d+)[^"]*"/g, '$1"'],
];

/** Writes a snapshot as a fixture, with nothing of this machine in it. */
export function recordSnapshot(name: string, snapshot: Snapshot): void {
  let text = JSON.stringify(snapshot);
  for (const [pattern, replacement] of personal) text = text.replaceAll(pattern, replacement);
  const foreign = snapshot.sockets.find(
    ({ local, family }) => (family === 'tcp' || family === 'udp') && !/^(127\.|\[::|0\.0\.0\.0)/.test(local),
  );
  if (foreign !== undefined)
    throw new Error(`${name} has a socket of this machine's network: ${foreign.local}`);
  mkdirSync(snapshotsDir, { recursive: true });
  writeFileSync(new URL(`${name}.json`, snapshotsDir), `${text}\n`);
}
