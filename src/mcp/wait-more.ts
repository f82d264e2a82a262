import { background } from '../control/background.js';
import type { OperationInput, OperationOutput } from '../control/operations/table.js';
import { oneLine, quoted } from '../text/visible.js';
import type { ToolContext } from './tool.js';

/** Most clients give up after 60 s. */
export const waitSMax = 50;
const progressEveryMs = 1000;
const lineChars = 100;

export type WaitContext = Pick<ToolContext, 'session' | 'signal' | 'reportProgress'>;
export type WaitRequest = Omit<OperationInput<'wait'>, 'reader' | 'plain'>;
export type WaitManyRequest = Omit<OperationInput<'waitMany'>, 'reader' | 'plain'>;

/** One wait for a client, with progress messages if the client requested them. */
export function waitMore(context: WaitContext, request: WaitRequest): Promise<OperationOutput<'wait'>> {
  return patiently(context, request.timeoutS, [request.id], (how) =>
    background.wait({ ...request, ...how }, { signal: context.signal }),
  );
}

/** The same for several runs. */
export function waitForMany(
  context: WaitContext,
  request: WaitManyRequest,
): Promise<OperationOutput<'waitMany'>> {
  return patiently(context, request.timeoutS, request.ids, (how) =>
    background.waitMany({ ...request, ...how }, { signal: context.signal }),
  );
}

interface How {
  timeoutS: number;
  reader: string;
  plain: true;
}

async function patiently<Waited extends { clamped: boolean }>(
  { session, signal, reportProgress }: WaitContext,
  timeoutS = waitSMax,
  ids: readonly string[],
  wait: (how: How) => Promise<Waited>,
): Promise<Waited> {
  const totalS = Math.min(timeoutS, waitSMax);
  const beganMs = performance.now();
  const timer =
    reportProgress === null
      ? null
      : setInterval(async () => {
          const message = await progressMessage(ids).catch(() => 'waiting');
          if (!signal.aborted) reportProgress((performance.now() - beganMs) / 1000, totalS, message);
        }, progressEveryMs);
  try {
    const waited = await session.wait(() => wait({ timeoutS: totalS, reader: session.owner, plain: true }));
    return { ...waited, clamped: timeoutS > waitSMax };
  } finally {
    if (timer !== null) clearInterval(timer);
  }
}

async function progressMessage(ids: readonly string[]): Promise<string> {
  const { runs } = await background.list({ status: 'running' });
  const waiting = runs.filter(({ id }) => ids.includes(id));
  const [run] = waiting;
  if (run === undefined) return 'waiting';
  if (ids.length > 1) return `${waiting.length} of ${ids.length} are running`;
  const last = run.lastLine === '' ? '' : quoted(run.lastLine, lineChars);
  return [run.health, run.progress, run.estimate?.text, last]
    .filter(Boolean)
    .map((text) => oneLine(text ?? ''))
    .join(' · ');
}
