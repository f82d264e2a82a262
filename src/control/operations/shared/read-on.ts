import type { BackgroundRun } from '../../../registry/background-run.js';

const charactersRunning = 1000;
const charactersEnded = 2000;

interface ReadOn {
  reader: string;
  requestId: string;
  limit?: number | undefined;
  plain: boolean;
  /** End offset; default: the end of the output. */
  to?: number;
}

/** Output of a run since the last request of this reader. Moves the position of the reader. */
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
