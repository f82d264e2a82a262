import { background } from '../control/background.js';
import type { OperationInput, OperationOutput } from '../control/operations/table.js';
import { oneLine, quoted } from '../text/visible.js';
import type { ToolContext } from './tool.js';

/** Most clients give up after 60 s. */
export const waitSMax = 50;
const progressEveryMs = 1000;
const lineChars = 100;

export type WaitRequest = Omit<OperationInput<'wait'>, 'reader' | 'plain'>;

/** One wait for a client, with progress messages if the client requested them. */
export async function waitMore(
  { session, signal, reportProgress }: Pick<ToolContext, 'session' | 'signal' | 'reportProgress'>,
  { timeoutS = waitSMax, ...request }: WaitRequest,
): Promise<OperationOutput<'wait'>> {
  const totalS = Math.min(timeoutS, waitSMax);
  const input = { ...request, timeoutS: totalS, reader: session.owner, plain: true };
  const beganMs = performance.now();
  const timer =
    reportProgress === null
      ? null
      : setInterval(async () => {
          const message = await progressMessage(request).catch(() => 'waiting');
          if (!signal.aborted) reportProgress((performance.now() - beganMs) / 1000, totalS, message);
        }, progressEveryMs);
  try {
    const waited = await session.wait(() => background.wait(input, { signal }));
    return { ...waited, clamped: timeoutS > waitSMax };
  } finally {
    if (timer !== null) clearInterval(timer);
  }
}

async function progressMessage({ id, owner }: WaitRequest): Promise<string> {
  const { runs } = await background.list({ status: 'running', ...(owner !== undefined && { owner }) });
  const run = runs.find((one) => one.id.startsWith(`run_${id.replace(/^run_/, '')}`));
  if (run === undefined) return 'waiting';
  const last = run.lastLine === '' ? '' : quoted(run.lastLine, lineChars);
  return [run.health, run.progress, run.estimate?.text, last]
    .filter(Boolean)
    .map((text) => oneLine(text ?? ''))
    .join(' · ');
}
