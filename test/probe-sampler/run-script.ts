import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const scriptMsMax = 30_000;

/** Runs a script of this directory in a node of its own, behind a command that changes what it lives in. */
export async function runScript(script: URL, before: string[]): Promise<unknown> {
  const dir = mkdtempSync(join(tmpdir(), 'unstuck-sampler-'));
  try {
    const outfile = join(dir, 'script.mjs');
    await build({
      entryPoints: [fileURLToPath(script)],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      logLevel: 'warning',
    });
    const [file = '', ...args] = [...before, process.execPath, outfile];
    const { stdout } = await promisify(execFile)(file, args, { timeout: scriptMsMax });
    return JSON.parse(stdout);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
