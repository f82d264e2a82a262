import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { Failure } from '../../model/failure.js';
import { openTerminal } from '../../run/launch/pseudo-terminal.js';

/**
 * Runs a program in the background and prints its pid. When its own stdin closes, because we close it or have ended, it
 * kills the whole group including itself and removes the files. Descriptor 4 is the terminal of the program. When we have
 * ended already, printing the pid must not end the script.
 */
const guardScript = `"$@" <&4 >&4 2>&4 4<&- &
trap '' PIPE
echo $!
exec 4<&-
read line
rm -rf -- "$UNSTUCK_DEMO_DIR"
kill -s KILL 0`;

export interface DemoProgram {
  pid: number;
  /** Resolves when all its processes are gone. */
  stop(): Promise<void>;
}

/** Starts a demo program in its own session, with a terminal or /dev/null. */
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
    // Without a pseudo-terminal, a silent socket stands in for it.
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
    throw new Failure('unsupported', 'cannot start the demo programs', 'install a POSIX shell: sh', {
      cause,
    });
  }
}
