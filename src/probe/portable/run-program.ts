import { spawn } from 'node:child_process';

/** Nothing can be said without `ps`, which only a busy machine delays. `lsof` may be left out, and hangs on a dead mount. */
const timeoutsMs = { ps: 20_000, lsof: 2000 } as const;
const outputBytesMax = 32 * 1024 * 1024;

/** The output of a system program that reports facts, or why there is none. */
export type ProgramOutput =
  | { text: string; code: number | null }
  | { failed: 'missing' | 'late' | 'too-long' };

/** No locale and no time zone of the user: numbers, names of months and times have the same form everywhere. */
export const programEnvironment = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH ?? '/usr/bin:/bin:/usr/sbin:/sbin',
  LC_ALL: 'C',
  TZ: 'UTC0',
});

export const programLimits = { timeoutsMs, outputBytesMax } as const;

/**
 * Runs `ps` or `lsof`, bounded in time and output. `started` gets its process id: it is a child of this process and
 * must not show up as part of a tree. A program that hangs (lsof on a dead mount) is killed and not waited for.
 */
export function runProgram(
  file: keyof typeof timeoutsMs,
  args: readonly string[],
  { signal, started }: { signal?: AbortSignal | undefined; started(pid: number): void },
): Promise<ProgramOutput> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'ignore'], env: programEnvironment() });
    if (child.pid !== undefined) started(child.pid);
    const chunks: Buffer[] = [];
    let length = 0;
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      finish();
    };
    const giveUp = (finish: () => void) => {
      child.kill('SIGKILL');
      child.stdout.destroy();
      child.unref();
      settle(finish);
    };
    const abort = () => giveUp(() => reject(signal?.reason));
    const timer = setTimeout(() => giveUp(() => resolve({ failed: 'late' })), timeoutsMs[file]);
    signal?.addEventListener('abort', abort, { once: true });
    child.stdout.on('data', (chunk: Buffer) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length > outputBytesMax) giveUp(() => resolve({ failed: 'too-long' }));
    });
    child.once('error', () => settle(() => resolve({ failed: 'missing' })));
    child.once('close', (code) =>
      settle(() => resolve({ text: Buffer.concat(chunks).toString('utf8'), code })),
    );
  });
}
