import { type ChildProcess, spawn } from 'node:child_process';
import { programEnvironment } from '../portable/run-program.js';

export interface ToolOutput {
  text: string;
  /** Why the tool was ended early; null: it ended by itself. */
  cut: 'too late' | 'too long' | 'interrupted' | null;
}

export interface ToolLimits {
  limitMs: number;
  bytesMax: number;
  signal: AbortSignal | undefined;
}

/** A debugger that is asked to end lets its process go; a debugger that is killed may leave it stopped. */
const lastWordsMs = 300;
/** After this not even SIGKILL has helped, or another process holds its output open. */
const drainMs = 200;

function start(file: string, args: readonly string[]): ChildProcess {
  return spawn(file, args, {
    cwd: '/',
    env: { ...programEnvironment(), LC_ALL: 'C.UTF-8' },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
}

/**
 * Runs a tool in a session of its own, with no input and without the environment of Unstuck, and ends it with all its
 * children when it exceeds its limits of time or output. A tool that cannot be started has printed nothing.
 */
export function runTool(
  file: string,
  args: readonly string[],
  { limitMs, bytesMax, signal }: ToolLimits,
): Promise<ToolOutput> {
  return new Promise((resolve) => {
    const child = start(file, args);
    const chunks: Buffer[] = [];
    let length = 0;
    let cut: ToolOutput['cut'] = null;
    const timers: NodeJS.Timeout[] = [];
    const later = (ms: number, act: () => void) => timers.push(setTimeout(act, ms));

    const settle = () => {
      for (const timer of timers) clearTimeout(timer);
      signal?.removeEventListener('abort', interrupt);
      child.stdout?.destroy();
      child.unref();
      resolve({ text: Buffer.concat(chunks).subarray(0, bytesMax).toString('utf8'), cut });
    };
    const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
    // Until its exit has been reported its pid is taken, and the id of its group with it.
    const kill = (name: NodeJS.Signals) => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, name);
      } catch {
        // No process is left.
      }
    };
    const end = (reason: ToolOutput['cut']) => {
      if (cut !== null || hasEnded()) return;
      cut = reason;
      kill('SIGTERM');
      later(lastWordsMs, () => {
        if (!hasEnded()) kill('SIGKILL');
        later(drainMs, settle);
      });
    };
    const interrupt = () => end('interrupted');

    child.stdout?.on('data', (chunk: Buffer) => {
      if (length < bytesMax) chunks.push(chunk);
      length += chunk.length;
      if (length > bytesMax) end('too long');
    });
    child.once('error', settle);
    child.once('exit', () => {
      // At this very moment: a process that is left in the group still holds its number.
      kill('SIGKILL');
      later(drainMs, settle);
    });
    child.once('close', settle);
    later(Math.max(0, limitMs - lastWordsMs), () => end('too late'));
    signal?.addEventListener('abort', interrupt, { once: true });
    if (signal?.aborted) interrupt();
  });
}
