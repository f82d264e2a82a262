import { Failure } from '../../model/failure.js';
import type { Call } from './call.js';
import { statusWords } from './exit-words.js';
import { shortId } from './short-id.js';

/** The process of a run that runs: the number of one that has ended may be somebody else's by now. */
export async function pidOfRun(call: Call, idOrPrefix: string): Promise<number> {
  const { id } = await call('inspect', { id: idOrPrefix });
  const { runs } = await call('list', {});
  const run = runs.find((one) => one.id === id);
  if (run?.status === 'running' && run.pid !== null) return run.pid;
  const name = shortId(id);
  throw new Failure(
    'run-ended',
    run === undefined ? `${name} is not there any more` : `${name} does not run: ${statusWords(run)}`,
    `its output: unstuck log ${name}`,
  );
}
