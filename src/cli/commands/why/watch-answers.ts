import { Failure } from '../../../model/failure.js';
import type { WhyAnswer } from '../../../model/verdict.js';
import { formatDuration } from '../../../text/duration.js';
import { jsonText } from '../../../text/json-text.js';
import { canDraw, useColor } from '../../output/color.js';
import { renderAnswer } from './render.js';

export interface Watch {
  ask(signal: AbortSignal): Promise<WhyAnswer>;
  pause(signal: AbortSignal): Promise<void>;
  json: boolean;
}

/** What counts as a change: another verdict, process or chain. Numbers alone do not. */
function gist({ verdict, chain }: WhyAnswer): string {
  const path = chain.map(({ pid }) => pid).join('>');
  return `${verdict.kind} ${verdict.certainty} ${verdict.pid} ${path}`;
}

function clearLine(): void {
  if (canDraw(process.stdout)) process.stdout.write('\r\x1b[2K');
}

/** Repeats the question; prints an answer when it has changed, and shows the time in between. */
export async function watchAnswers({ ask, pause, json }: Watch): Promise<void> {
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  let known: string | null = null;
  let since = Date.now();
  try {
    for (;;) {
      const answer = await ask(stop.signal);
      const news = gist(answer) !== known;
      if (json) process.stdout.write(`${jsonText({ ...answer, changed: news })}\n`);
      else if (news) {
        clearLine();
        const time = new Date().toLocaleTimeString('en-GB');
        process.stdout.write(
          `${known === null ? '' : `\n[${time}] changed after ${formatDuration(Date.now() - since)}\n`}${renderAnswer(answer, useColor())}`,
        );
      } else if (canDraw(process.stdout)) {
        clearLine();
        process.stdout.write(
          `${answer.verdict.kind} for ${formatDuration(Date.now() - since)}: ${answer.verdict.reason}`.slice(
            0,
            (process.stdout.columns ?? 80) - 1,
          ),
        );
      }
      if (news) since = Date.now();
      known = gist(answer);
      await pause(stop.signal);
    }
  } catch (error) {
    if (stop.signal.aborted) {
      clearLine();
      return;
    }
    const ended =
      error instanceof Failure && (error.code === 'no-such-process' || error.code === 'process-ended');
    if (!ended || known === null) throw error;
    clearLine();
    process.stdout.write(
      json
        ? `${jsonText({ ended: true })}\n`
        : `\nit has ended after ${formatDuration(Date.now() - since)} in this state\n`,
    );
  } finally {
    process.removeListener('SIGINT', onSignal).removeListener('SIGTERM', onSignal);
  }
}
