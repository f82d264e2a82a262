import {
  type DaemonStatus,
  daemonStatus,
  startedDaemon,
  stopDaemon,
} from '../../../control/client/daemon-status.js';
import { formatDuration } from '../../../text/duration.js';
import { jsonDocument } from '../../output/json-document.js';
import { endWithReader } from '../../shared/end-with-reader.js';
import { fail } from '../../shared/fail.js';

interface Flags {
  json?: true | undefined;
}

/** Prints the answer as JSON or text. */
async function printAnswer<T extends object>(
  { json }: Flags,
  work: () => Promise<T>,
  format: (answer: T) => string,
): Promise<T | null> {
  endWithReader();
  try {
    const answer = await work();
    process.stdout.write(json ? jsonDocument(answer) : `${format(answer)}\n`);
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

function formatStatus({ running, pid, version, startedAt, runs, trouble, home, log }: DaemonStatus): string {
  const problem = trouble === null ? [] : [`problem: ${trouble}`];
  if (!running) {
    return ['the daemon is not running; commands that need it start it', ...problem, `home: ${home}`].join(
      '\n',
    );
  }
  const sinceMs = Math.max(0, Date.now() - Date.parse(startedAt ?? ''));
  return [
    `the daemon is running as pid ${pid}, for ${formatDuration(sinceMs)}, version ${version}, with ${countRuns(runs)}`,
    ...problem,
    `home: ${home}`,
    `log:  ${log}`,
  ].join('\n');
}

/** `unstuck daemon start`. */
export async function runDaemonStart(flags: Flags): Promise<void> {
  await printAnswer(flags, startedDaemon, ({ pid }) => `the daemon is running as pid ${pid}`);
}

/** `unstuck daemon stop`. */
export async function runDaemonStop(flags: Flags): Promise<void> {
  await printAnswer(flags, stopDaemon, ({ stopped, pid, runs }) => {
    if (!stopped) return 'the daemon is not running';
    return runs === 0
      ? `the daemon (pid ${pid}) has ended`
      : `the daemon (pid ${pid}) has ended; ${countRuns(runs)} ${runs === 1 ? 'goes' : 'go'} on`;
  });
}

/** `unstuck daemon status`. */
export async function runDaemonStatus(flags: Flags): Promise<void> {
  const status = await printAnswer(flags, daemonStatus, formatStatus);
  if (status !== null && !status.running) process.exitCode = 1;
}
