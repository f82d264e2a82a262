import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';
import { patienceMs } from '../../support/patience.js';
import { removeDirectory } from '../../support/remove-directory.js';

/** A program of the tests in a node of its own, so that it can be killed. */
export interface Program {
  start(...args: string[]): ChildProcess;
  /** Runs it to its end, behind a command that changes where it is. */
  finish(before: string[], ...args: string[]): Promise<{ stdout: string; stderr: string }>;
}

/** Built once for the tests of a file. */
export function useProgram(source: URL): Program {
  let dir = '';
  const outfile = () => path.join(dir, 'program.mjs');
  beforeAll(async () => {
    dir = mkdtempSync(path.join(os.tmpdir(), 'unstuck-program-'));
    await build({
      entryPoints: [fileURLToPath(source)],
      outfile: outfile(),
      bundle: true,
      format: 'esm',
      platform: 'node',
      logLevel: 'warning',
    });
  });
  afterAll(() => removeDirectory(dir));
  // Where koffi is found, which is not part of what was built.
  const env = { ...process.env, NODE_PATH: fileURLToPath(new URL('../../../node_modules', import.meta.url)) };
  return {
    start: (...args) =>
      spawn(process.execPath, [outfile(), ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] }),
    finish: async ([file = '', ...before], ...args) => {
      const words = [...before, process.execPath, outfile(), ...args];
      const done = promisify(execFile)(file, words, { env, timeout: patienceMs, killSignal: 'SIGKILL' });
      return done.catch((error: { stdout: string; stderr: string }) => error);
    },
  };
}
