// A suite, plainly or below `unstuck run`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { RunEvent } from '../../src/model/run/run.js';
import type { GuardedScratch } from '../background-guard.js';
import { type Played, reportsIn, tooSlow } from './compare.js';
import type { Suite } from './suite.js';

export interface Conditions {
  root: string;
  scratch: GuardedScratch;
  boundMs: number;
}

const killAfterMs = 15_000;

/** `flags`: those of `unstuck run`; null: without it. */
export async function play(suite: Suite, flags: string[] | null, conditions: Conditions): Promise<Played> {
  const { root, scratch, boundMs } = conditions;
  const dir = mkdtempSync(join(scratch.dir, 'suite-'));
  const { argv, cwd } = suite.prepare(dir);
  const before =
    flags === null ? [] : [join(root, 'unstuck'), 'run', '--json', '--no-project-file', ...flags, '--'];
  const [file = '', ...words] = [...before, ...argv];
  const startedMs = performance.now();
  const child = spawn(file, words, {
    cwd,
    env: { ...process.env, ...scratch.mark, UNSTUCK_HOME: join(scratch.dir, 'state') },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => output.push(text));
  }
  let wasLate = false;
  const signal = (name: NodeJS.Signals) => {
    wasLate = true;
    // Its own group: it was started detached.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, name);
  };
  const timers = [
    setTimeout(signal, boundMs, 'SIGTERM'),
    setTimeout(signal, boundMs + killAfterMs, 'SIGKILL'),
  ];
  const [code, by] = await once(child, 'close');
  for (const timer of timers) clearTimeout(timer);
  const ms = performance.now() - startedMs;
  const text = output.join('');
  const events = flags === null ? [] : eventsIn(text);
  const printed = events.map((event) => (event.kind === 'output' ? event.text : '')).join('');
  const statuses = suite.statuses(dir, stripVTControlCharacters(flags === null ? text : printed));
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  return { statuses, end: wasLate ? tooSlow : String(code ?? by), ms, reports: reportsIn(events) };
}

/** What is no event is a note on stderr. */
function eventsIn(text: string): RunEvent[] {
  return text.split('\n').flatMap((line) => (line.startsWith('{"at":') ? [JSON.parse(line)] : []));
}
