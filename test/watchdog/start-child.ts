import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { ProcessIdentity } from '../../src/model/facts/identity.js';
import { identify } from '../../src/probe/linux/identity/identify.js';
import { compile } from '../support/compile.js';
import { afterThisTest } from '../support/per-test.js';
import { readFirstLine } from '../support/read-first-line.js';

export type Child = ChildProcessWithoutNullStreams & { pid: number };

function stop(child: Child): void {
  try {
    // Its whole group, in which there is nothing else.
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
  for (const stream of child.stdio) stream?.destroy();
}

/** A shell script that ends with the test, with all that it has started. */
export function startChild(script: string): Child {
  const child = spawn('sh', ['-c', script], { stdio: 'pipe', detached: true });
  if (child.pid === undefined) throw new Error('sh could not be started');
  afterThisTest(() => stop(child as Child));
  return child as Child;
}

/** The same, when it has printed its first line. */
export async function startReady(
  script: string,
): Promise<{ child: Child; line: string; who: ProcessIdentity }> {
  const child = startChild(script);
  const line = await readFirstLine(child);
  return { child, line, who: identityOf(child.pid) };
}

/** Many processes below one, each waiting for a signal; it never asks what became of them. */
export async function startSleepers(count: number, ...how: 'deaf'[]): Promise<ProcessIdentity[]> {
  const crowd = await compile('tree/crowd');
  const { child } = await startReady(`exec ${crowd} ${count} ${how.join(' ')}`);
  const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
  return children
    .trim()
    .split(' ')
    .map((pid) => identityOf(Number(pid)));
}

export function identityOf(pid: number): ProcessIdentity {
  const who = identify(pid);
  if (who === null) throw new Error(`process ${pid} has ended already`);
  return who;
}
