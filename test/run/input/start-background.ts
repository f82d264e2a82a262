import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { vi } from 'vitest';
import type { InputKind } from '../../../src/model/run/background.js';
import { RunInput } from '../../../src/run/input/run-input.js';
import { launchBackground } from '../../../src/run/launch/launch-background.js';
import { RunDirectory } from '../../../src/store/run-directory.js';
import { newRunId } from '../../../src/store/run-ids.js';
import { known } from '../../support/known.js';
import { patienceMs } from '../../support/patience.js';
import { afterEveryTest } from '../../support/per-test.js';
import { readIdentity, readTree } from '../../support/read-tree.js';
import { removeDirectory } from '../../support/remove-directory.js';
import { stopTree } from '../../support/stop-tree.js';
import { testEnvironment } from '../stop/start-run.js';

export interface Background {
  id: string;
  directory: RunDirectory;
  input: RunInput;
  shim: number;
  /** What the command printed so far. */
  output(): string;
  bytes(): Buffer;
  exit(): number | null;
  /** The command, once it is there. */
  leader(): Promise<number>;
  /** Names of all processes of it, the shim's included. */
  alive(): string[];
}

export interface Run {
  directory: RunDirectory;
  /** In the environment of all its processes. */
  mark: string;
  id: string;
}

export interface BackgroundOptions {
  input?: InputKind;
  env?: Record<string, string>;
}

const stops: (() => Promise<void>)[] = [];

afterEveryTest(async () => {
  for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop();
});

const header = 'header\n';

/** A directory as `start` makes it; it goes with the test. */
export function makeRun(): Run {
  const home = mkdtempSync(path.join(os.tmpdir(), 'unstuck-test-'));
  const id = newRunId();
  const mark = randomBytes(6).toString('hex');
  stops.push(async () => removeDirectory(home));
  const directory = RunDirectory.create(id, path.join(home, 'runs'));
  directory.createLog('output.log', 'both', header);
  return { directory, mark, id };
}

/** Starts a command as the daemon does; all of it ends with the test. */
export function startBackground(command: readonly string[], options: BackgroundOptions = {}): Background {
  const { input = 'pipe', env = {} } = options;
  const { directory, mark, id } = makeRun();
  const log = { file: 'output.log', stream: 'both', start: header.length } as const;
  const { shim } = launchBackground({
    id,
    command,
    cwd: '/',
    env: { ...testEnvironment(mark), ...env },
    directory,
    log,
    input,
  });
  return readRun({ directory, mark, id, shim, input });
}

/** A run that was started, as seen from its directory; all of it ends with the test. */
export function readRun({
  directory,
  mark,
  id,
  shim,
  input,
}: Run & { shim: number; input: InputKind }): Background {
  const root = readIdentity(shim);
  const runInput = input === 'none' ? null : new RunInput(directory, input);
  stops.push(async () => {
    runInput?.forget();
    await stopTree(mark, root);
  });
  const bytes = () => readFileSync(directory.file('output.log')).subarray(header.length);
  return {
    id,
    directory,
    get input() {
      if (runInput === null) throw new Error('it reads nothing');
      return runInput;
    },
    shim,
    bytes,
    output: () => bytes().toString(),
    exit: () => known(directory.readExit())?.code ?? null,
    leader: async () => {
      await until(() => known(directory.readLeader()) !== '', 'a command');
      return Number.parseInt(known(directory.readLeader()), 10);
    },
    alive: () =>
      readTree(mark, root)
        .filter(({ isDead }) => !isDead)
        .map(({ comm }) => comm),
  };
}

export async function until(condition: () => boolean, what: string): Promise<void> {
  await vi.waitFor(
    () => {
      if (!condition()) throw new Error(`never so: ${what}`);
    },
    { timeout: patienceMs, interval: 5 },
  );
}

export const soon = { timeoutMs: patienceMs, signal: new AbortController().signal };
