import type { FailedAttempt, Outcome, RunReport } from '../model/run/run.js';
import { sentenceOf, statusOf } from '../run/report/words.js';
import type { AttemptPlan } from '../run/request.js';

/** Ends after which a command is run again. A user who interrupted it does not want it again. */
const retried: ReadonlySet<Outcome> = new Set(['exited', 'timeout', 'idle-timeout', 'stalled', 'stuck']);

/** Of the output of a failed attempt, its report has more. */
const lastLinesMax = 20;

function failedAttempt(report: RunReport, file: string | null): FailedAttempt {
  const { id, startedAt, elapsedMs, outcome, exit, exitCode, lastLines, files } = report;
  return {
    ...{ id, startedAt, elapsedMs, outcome, exit, exitCode },
    status: statusOf(report),
    reason: sentenceOf(report),
    lastLines: lastLines.slice(-lastLinesMax),
    files,
    report: file,
  };
}

interface Retries<Result> {
  /** How many attempts may follow the first. */
  retry: number;
  run(attempt: AttemptPlan): Promise<Result>;
  /** false: no further attempt is wanted. */
  mayGoOn(): boolean;
}

/** Runs a command until it passes, at most `retry` times more. Returns what the last attempt returned. */
export async function withRetries<Result>(retries: Retries<Result>): Promise<Result> {
  const { retry, run, mayGoOn } = retries;
  for (let failed: FailedAttempt[] = []; ; ) {
    let last: FailedAttempt | null = null;
    const result = await run({
      failed,
      goesOn(report, file) {
        const isWanted = report.exitCode !== 0 && retried.has(report.outcome);
        if (!isWanted || failed.length >= retry || !mayGoOn()) return null;
        last = failedAttempt(report, file);
        const at = new Date().toISOString();
        return { at, kind: 'retry', attempt: failed.length + 2, attemptsMax: retry + 1, failed: last };
      },
    });
    if (last === null) return result;
    failed = [...failed, last];
  }
}
