import { agentWaitWords } from '../../model/agent.js';
import { Failure } from '../../model/failure.js';
import type { Call } from './call.js';
import { statusWords } from './exit-words.js';
import { shortId } from './short-id.js';

export interface RunProcess {
  pid: number;
  /** What a person types for the run. */
  name: string;
  takesInput: boolean;
  /** What the stream of an agent adds to the evidence. */
  evidence?: string;
}

/** The process of a run that runs: the number of one that has ended may be somebody else's by now. */
export async function processOfRun(call: Call, idOrPrefix: string): Promise<RunProcess> {
  const { id, input, agent } = await call('inspect', { id: idOrPrefix });
  const { runs } = await call('list', {});
  const run = runs.find((one) => one.id === id);
  const name = shortId(
    id,
    runs.map((one) => one.id),
  );
  if (run?.status === 'running' && run.pid !== null) {
    const evidence = agent === undefined ? null : agentWaitWords(agent);
    return {
      pid: run.pid,
      name,
      takesInput: input !== 'none',
      ...(evidence !== null && { evidence }),
    };
  }
  throw new Failure(
    'run-ended',
    run === undefined ? `${name} is not there any more` : `${name} does not run: ${statusWords(run)}`,
    `its output: unstuck log ${name}`,
  );
}
