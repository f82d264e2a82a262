import { spawn } from 'node:child_process';

/** Resolves when the command has ended well and its output is read to the end. */
export function runToEnd(file: string, args: string[], env?: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...env },
    });
    child.stdout.resume();
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${file} ${args.join(' ')}: exit code ${code}`)),
    );
  });
}
