import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { Failure } from '../model/failure.js';
import { openTerminal } from '../supervise/pseudo-terminal.js';

/**
 * Runs a program beside itself, tells its number, and when its own input ends (we say so, or we are gone,
 * however we went) kills the whole group with itself and leaves no file. Descriptor 4 is the program's terminal.
 */
const guardScript = `"$@" <&4 >&4 2>&4 4<&- &
echo $!
exec 4<&-
read line
rm -rf -- "$UNSTUCK_DEMO_DIR"
kill -s KILL 0`;

export interface DemoProgram {
  pid: number;
  /** Resolves when nothing of it is left. */
  stop(): Promise<void>;
}

/** Starts a program of the demo in its own session, with a terminal if it wants one, otherwise /dev/null. */
export async function startDemoProgram(
  argv: readonly string[],
  { dir, terminal }: { dir: string; terminal: boolean },
): Promise<DemoProgram> {
  const pty = terminal ? openTerminal() : null;
  const nothing = openSync('/dev/null', 'r+');
  const guard = spawn('sh', ['-c', guardScript, 'sh', ...argv], {
    cwd: dir,
    env: { ...process.env, UNSTUCK_DEMO_DIR: dir },
    detached: true,
    // Without a pseudo terminal, a socket of ours that says nothing stands in for it.
    stdio: ['pipe', 'pipe', 'ignore', 'ignore', terminal ? (pty?.slave ?? 'pipe') : nothing],
  });
  closeSync(nothing);
  const ended = once(guard, 'exit').catch(() => {});
  try {
    const [bytes] = (await Promise.race([
      once(guard.stdout as NodeJS.ReadableStream, 'data'),
      once(guard, 'exit').then(() => []),
    ])) as [Buffer?];
    const pid = Number(bytes?.toString());
    if (!(pid > 0)) throw new Error('the shell ended at once');
    return {
      pid,
      async stop() {
        guard.stdin?.destroy();
        await ended;
        pty?.close();
        for (const stream of guard.stdio) stream?.destroy();
      },
    };
  } catch (cause) {
    pty?.close();
    throw new Failure(
      'unsupported',
      'the programs of the demo cannot be started here',
      'the demo needs a shell: sh',
      { cause },
    );
  }
}
