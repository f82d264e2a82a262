import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { patienceMs } from './patience.js';

export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

export const cliPath = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));

/** Runs the built command line as a user would. */
export function runCli(args: string[], env: NodeJS.ProcessEnv = {}): Promise<CliResult> {
  return new Promise((resolve) => {
    const options = {
      timeout: patienceMs,
      env: { ...process.env, NO_COLOR: '1', ...env },
      maxBuffer: 64 * 1024 * 1024,
    };
    execFile(process.execPath, [cliPath, ...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
      resolve({ code, stdout, stderr });
    });
  });
}
