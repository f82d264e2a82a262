import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { childrenOf, read } from './process-cost.js';

const readyMsMax = 60_000;

export interface Herd {
  /** The process all others are children of. */
  pid: number;
  children: number[];
  stop(): Promise<void>;
}

/** Sleeps only, or pairs of which one waits for the pipe of the other. */
export type HerdKind = 'sleeping' | 'in pipes';

function script(kind: HerdKind, children: number): string {
  if (kind === 'sleeping') {
    return `i=0; while [ $i -lt ${children} ]; do sleep 1000 & i=$((i+1)); done; wait`;
  }
  const pairs = Math.floor(children / 2);
  const odd = children % 2 === 1 ? 'sleep 1000 &' : '';
  return `i=0; while [ $i -lt ${pairs} ]; do sleep 1000 | cat & i=$((i+1)); done; ${odd} wait`;
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`${child.spawnfile} ended at once`)));
    child.stdout?.once('data', (bytes: Buffer) => resolve(bytes.toString().trim()));
  });
}

async function until(done: () => boolean, what: string): Promise<void> {
  const giveUpAtMs = performance.now() + readyMsMax;
  while (!done()) {
    if (performance.now() > giveUpAtMs) throw new Error(`not ready after ${readyMsMax} ms: ${what}`);
    await delay(20);
  }
}

/** The guard kills all of it when we tell it to, and when we are gone ourselves. */
async function startGuarded(command: string): Promise<{ pid: number; stop(): Promise<void> }> {
  const guard = spawn(
    'sh',
    [
      '-c',
      'setsid "$@" >/dev/null 2>&1 & echo $!; read line; kill -s KILL -- -$!; wait',
      'sh',
      'sh',
      '-c',
      command,
    ],
    { stdio: ['pipe', 'pipe', 'ignore'], detached: true },
  );
  const pid = Number(await firstLine(guard));
  return {
    pid,
    async stop() {
      const ended = new Promise((resolve) => guard.once('exit', resolve));
      guard.stdin?.end();
      await ended;
      await until(() => read(`/proc/${pid}/stat`) === '', `the end of ${pid}`);
    },
  };
}

/** A shell that waits for its children. */
export async function startHerd(kind: HerdKind, processes: number): Promise<Herd> {
  const { pid, stop } = await startGuarded(script(kind, processes - 1));
  const settled = (child: number) => /^(sleep|cat)\n$/.test(read(`/proc/${child}/comm`));
  const complete = () => {
    const children = childrenOf(pid);
    return children.length === processes - 1 && children.every(settled);
  };
  try {
    await until(complete, `${processes} processes ${kind}`);
  } catch (error) {
    await stop();
    throw error;
  }
  return { pid, children: childrenOf(pid), stop };
}

const threadsScript = (threads: number) => `
import threading
threading.stack_size(65536)
for _ in range(${threads - 1}): threading.Thread(target=threading.Event().wait).start()
threading.Event().wait()`;

/** One process with that many waiting threads; null: no python3 here to make them. */
export async function startThreads(threads: number): Promise<Herd | null> {
  const { pid, stop } = await startGuarded(`exec python3 -c '${threadsScript(threads)}'`);
  const count = () => Number(/^Threads:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? -1);
  try {
    await until(() => count() === threads || count() === -1, `${threads} threads`);
  } catch {
    await stop();
    return null;
  }
  if (count() === -1) {
    await stop();
    return null;
  }
  return { pid, children: [], stop };
}
