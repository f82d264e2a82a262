import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { patienceMs } from './patience.js';
import { removeDirectory } from './remove-directory.js';

/** Runs a script of the tests in a node of its own, behind a command that changes its user or namespace. */
export async function runAs(before: readonly string[], script: URL, ...args: string[]): Promise<unknown> {
  const dir = mkdtempSync(join(tmpdir(), 'unstuck-run-as-'));
  try {
    chmodSync(dir, 0o755);
    const outfile = join(dir, 'script.mjs');
    await build({
      entryPoints: [fileURLToPath(script)],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      logLevel: 'warning',
    });
    const [file = '', ...rest] = [...before, process.execPath, outfile, ...args];
    const { stdout } = await promisify(execFile)(file, rest, {
      cwd: dir,
      timeout: patienceMs,
      killSignal: 'SIGKILL',
    });
    return JSON.parse(stdout);
  } finally {
    await removeDirectory(dir);
  }
}
