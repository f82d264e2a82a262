import type { BackgroundRun } from '../../supervise/background/background-run.js';

/** D3. */
const charactersRunning = 1000;
const charactersEnded = 2000;

interface ReadOn {
  reader: string;
  requestId: string;
  limit?: number | undefined;
  plain: boolean;
  /** How far; without it all there is. */
  to?: number;
}

/** What a run printed since this reader asked last; its place moves on. */
export function readOn(
  run: BackgroundRun,
  { reader, requestId, limit, plain, to }: ReadOn,
): {
  output: string;
  omitted: number;
} {
  const from = run.log.cursors.placeOf(reader, requestId);
  const ended = run.status !== 'running';
  const { output, omitted, next } = run.log.view.readText(from, to ?? run.log.view.size(), {
    limit: limit ?? (ended ? charactersEnded : charactersRunning),
    plain,
    ended,
  });
  run.log.cursors.move(reader, requestId, { from, to: next, sawEnd: ended });
  return { output, omitted };
}
