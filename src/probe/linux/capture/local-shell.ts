import { spawn } from 'node:child_process';
import { Failure } from '../../../model/failure.js';
import type { RunScript } from './collect.js';

const outputBytesMax = 64 * 1024 * 1024;
const runMsMax = 60_000;

/** A shell of this machine, which reads no more than a shell in another place does. */
export function localShell(command: readonly string[] = ['sh', '-s']): RunScript {
  return (script) =>
    new Promise((resolve, reject) => {
      const [file = 'sh', ...args] = command;
      const shell = spawn(file, args, { stdio: ['pipe', 'pipe', 'ignore'] });
      const chunks: Buffer[] = [];
      let bytes = 0;
      const fail = (problem: string): void => {
        shell.kill('SIGKILL');
        reject(new Failure('cannot-read', problem, 'ask about a process with a smaller tree'));
      };
      const late = setTimeout(() => fail(`the shell took longer than ${runMsMax / 1000} s`), runMsMax);
      shell.stdin.on('error', () => {});
      shell.stdout.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > outputBytesMax) fail(`there is more to read than ${outputBytesMax / 1024 / 1024} MB`);
        else chunks.push(chunk);
      });
      shell.on('error', (error) => fail(`cannot start ${file}: ${error.message}`));
      shell.on('close', () => {
        clearTimeout(late);
        resolve(Buffer.concat(chunks));
      });
      shell.stdin.end(script);
    });
}
