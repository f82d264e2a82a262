import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type BackgroundHome, useBackgroundHome } from '../cli/commands/background-home.js';
import { askUntil } from '../support/ask-until.js';
import { patienceMs } from '../support/patience.js';

const background = useBackgroundHome();
const page = fs.readFileSync(new URL('../../docs/coming-from.md', import.meta.url), 'utf8');

/** The right column of each table, in order. */
const tables = page
  .split(/^## /m)
  .slice(1)
  .map((text): [string, string[]] => [
    text.split('\n')[0] ?? '',
    [...text.matchAll(/^\| `[^|]*\| `(unstuck [^`|]*)` \|$/gm)].map(([, command = '']) => command),
  ]);

/** Everything else ends with 0. */
const codes: Record<string, number> = { 'unstuck run --timeout 200ms -- ./server': 124 };

const files = {
  server: '#!/bin/sh\ntrap : USR1\necho ready\nwhile :; do sleep 0.2; done\n',
  build: '#!/bin/sh\necho built\n',
  'unstuck-up.yaml':
    'services:\n  db: { command: [./server], ready: { match: ready } }\n  web: { command: [./server], after: [db] }\n',
  'process-compose.yaml':
    'processes:\n  api: { command: ./server }\n  worker: { command: ./server, depends_on: { api: { condition: process_started } } }\n',
};

function makeProject(home: BackgroundHome): string {
  const dir = path.join(home.path, 'project');
  fs.mkdirSync(dir);
  for (const [name, text] of Object.entries(files))
    fs.writeFileSync(path.join(dir, name), text, { mode: 0o755 });
  return dir;
}

/** What goes on until a person has seen enough. */
const isEndless = (words: readonly string[]) => words.includes('-f') || words.includes('--watch');

async function execute(home: BackgroundHome, dir: string, command: string): Promise<void> {
  const words = command.split(' ').slice(1);
  const size = { rows: 24, columns: 80 };
  // Before, the signal would end the server.
  if (words[0] === 'signal') {
    const log = () => home.run(['log', words[1] ?? '']);
    expect((await askUntil(log, ({ stdout }) => stdout !== '')).stdout).toBe('ready\n');
  }
  const session = home.open(words, words.includes('--watch') ? size : '', dir);
  if (isEndless(words)) {
    await session.until(() => /ready|LABEL/.test(session.stdout));
    session.child.kill('SIGINT');
    expect([0, 130], `${command}\n${session.stderr}`).toContain(await session.done);
    return;
  }
  const code = await session.done;
  expect({ command, code, stderr: code === 0 ? '' : session.stderr }).toMatchObject({
    code: codes[command] ?? 0,
  });
}

describe('docs/coming-from.md', { concurrent: true, timeout: 6 * patienceMs }, () => {
  it('has a table for each of them', () => {
    expect(tables.map(([name, commands]) => [name, commands.length])).toEqual([
      ['pueue', 12],
      ['PM2', 13],
      ['process-compose', 7],
      ['docker', 17],
      ['timeout', 4],
    ]);
  });

  it.each(tables)('every line of the table for %s works', async (_name, commands) => {
    const { home } = background;
    const dir = makeProject(home);
    for (const command of commands) await execute(home, dir, command);
  });
});
