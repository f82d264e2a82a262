import {
  type DaemonStatus,
  daemonStatus,
  startedDaemon,
  stopDaemon,
} from '../control/client/daemon-status.js';
import { formatDuration } from '../model/duration.js';
import { jsonText } from '../model/json-text.js';
import { endWithReader } from './end-with-reader.js';
import { fail } from './fail.js';

interface Flags {
  json?: true | undefined;
}

/** Prints what comes of it, for a program or a person. */
async function tell<T>(
  { json }: Flags,
  work: () => Promise<T>,
  words: (answer: T) => string,
): Promise<T | null> {
  endWithReader();
  try {
    const answer = await work();
    process.stdout.write(`${json ? jsonText(answer) : words(answer)}\n`);
    return answer;
  } catch (error) {
    fail(error, json === true);
    return null;
  }
}

function countRuns(runs: number | null): string {
  if (runs === null) return 'an unknown number of runs';
  return runs === 1 ? '1 run' : `${runs} runs`;
}

function statusWords({ running, pid, version, startedAt, runs, trouble, home, log }: DaemonStatus): string {
  if (!running) return `the daemon is not running; whoever needs it starts it\nhome: ${home}`;
  const sinceMs = Math.max(0, Date.now() - Date.parse(startedAt ?? ''));
  return [
    `the daemon is running as pid ${pid}, for ${formatDuration(sinceMs)}, version ${version}, with ${countRuns(runs)}`,
    ...(trouble === null ? [] : [`trouble: ${trouble}`]),
    `home: ${home}`,
    `log:  ${log}`,
  ].join('\n');
}

/** `unstuck daemon start`. */
export async function runDaemonStart(flags: Flags): Promise<void> {
  await tell(flags, startedDaemon, ({ pid }) => `the daemon is running as pid ${pid}`);
}

/** `unstuck daemon stop`. */
export async function runDaemonStop(flags: Flags): Promise<void> {
  await tell(flags, stopDaemon, ({ stopped, pid, runs }) => {
    if (!stopped) return 'the daemon is not running';
    return runs === 0
      ? `the daemon (pid ${pid}) has ended`
      : `the daemon (pid ${pid}) has ended; ${countRuns(runs)} ${runs === 1 ? 'goes' : 'go'} on`;
  });
}

/** `unstuck daemon status`. */
export async function runDaemonStatus(flags: Flags): Promise<void> {
  const status = await tell(flags, daemonStatus, statusWords);
  if (status !== null && !status.running) process.exitCode = 1;
}
