import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { why } from '../../src/control/why.js';
import type { Verdict } from '../../src/model/verdict.js';
import { agrees } from '../../src/watchdog/agrees.js';
import { askUntil } from '../support/ask-until.js';
import { removeDirectory } from '../support/remove-directory.js';
import { startReady } from '../watchdog/start-child.js';

const api = fileURLToPath(new URL('../support/scripted-api/server.mjs', import.meta.url));

/** All answers up to the first that is wanted: while a process starts, it works. */
async function verdictsOn(pid: number, wanted: (verdict: Verdict) => boolean): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  await askUntil(
    () => why(pid),
    ({ verdict }) => {
      verdicts.push(verdict);
      return wanted(verdict);
    },
  );
  return verdicts;
}

const isLingering = ({ kind }: Verdict) => kind === 'lingering';

/** A server that a shell has left behind in the same session, and a client of it. */
const behindLocalApi = (turn: string, portFile: string) => `
  (node '${api}' '[${turn}]' > '${portFile}' 2>&1 &)
  until [ -s '${portFile}' ]; do sleep 0.05; done
  port=$(cat '${portFile}')
  exec node -e "
    const body = JSON.stringify({ stream: true, tools: [{ name: 'Bash' }] });
    fetch('http://127.0.0.1:$port/v1/messages', { method: 'POST', body }).then(async (answer) => {
      console.log(process.pid);
      for await (const chunk of answer.body) if (chunk.length === 0) break;
    });
  "`;

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'unstuck-left-behind-'));
});
afterEach(() => removeDirectory(dir));

it.each([
  ['is silent', '{"kind":"silent"}'],
  ['answers slowly', '{"kind":"slow","text":"one two three","everyMs":60000}'],
])('a client of a local server that %s waits for the network', async (_, turn) => {
  const { line } = await startReady(behindLocalApi(turn, path.join(dir, 'port')));
  const verdicts = await verdictsOn(Number(line), ({ kind }) => kind === 'network');
  expect(verdicts.at(-1)).toMatchObject({ kind: 'network' });
  expect(verdicts.some(isLingering)).toBe(false);
  expect(verdicts.some(agrees)).toBe(false);
});

/** Prints the pid of the reader, whose pipe an orphan holds in its own way. */
const readerOf = (writer: string) =>
  `bash -c 'echo $$; { ${writer} & } | { exec 1>&- 2>&-; exec 9<&0 </dev/null; read -u 9; }'`;

it('an orphan that inherited the output of an ended command is left behind', async () => {
  const { line } = await startReady(readerOf('(sleep 1000 &) '));
  const isLeft = (verdict: Verdict) => isLingering(verdict) && verdict.command.startsWith('sleep');
  const verdicts = await verdictsOn(Number(line), isLeft);
  expect(verdicts.at(-1)).toMatchObject({ kind: 'lingering', command: expect.stringMatching(/^sleep/) });
});

it('an orphan that holds the pipe as another file than its output is waited for', async () => {
  const { line } = await startReady(readerOf('(exec sleep 1000 3>&1 >/dev/null 2>&1 &) '));
  const verdicts = await verdictsOn(Number(line), ({ kind }) => kind === 'timer');
  expect(verdicts.at(-1)).toMatchObject({ kind: 'timer' });
  expect(verdicts.some(isLingering)).toBe(false);
});
