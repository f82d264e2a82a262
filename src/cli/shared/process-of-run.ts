import { Failure } from '../../model/failure.js';
import { agentWaitWords } from '../../model/run/agent.js';
import type { ScreenClaim } from '../../model/run/screen-claim.js';
import type { Verdict } from '../../model/verdict.js';
import { formatStatus } from '../output/format-status.js';
import type { Call } from './call.js';
import { shortId } from './short-id.js';

/** Next steps for a background run, which has its own commands to answer and stop it. */
export function nextForRun({ kind, reason, next }: Verdict, { name, takesInput }: RunProcess): string[] {
  const steps = next.map((step) =>
    step.replace(/^(stop it.*): (?:.* )?kill \d+$/, `$1: unstuck kill ${name}`),
  );
  if (kind !== 'needs-input' || !takesInput) return steps;
  // Arguments of a command are visible to other users and stay in the shell history.
  const submit = reason.includes('password') ? '' : `unstuck submit ${name} ANSWER, or `;
  return [
    `answer it: ${submit}unstuck attach ${name}`,
    ...steps.filter((step) => !/^(answer|give) it/.test(step)),
  ];
}

export interface RunProcess {
  pid: number;
  /** The place that the pid belongs to; absent: this machine. */
  on?: string;
  /** Short id to type. */
  name: string;
  takesInput: boolean;
  /** What its terminal shows; undefined: nothing that matters. */
  screen?: ScreenClaim | undefined;
  /** What the stream of an agent adds to the evidence. */
  evidence?: string;
}

/** The process of a running run: the pid of an ended one may have been reused. */
export async function processOfRun(call: Call, idOrPrefix: string): Promise<RunProcess> {
  const { id, input, screen, agent } = await call('inspect', { id: idOrPrefix });
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
      ...(run.on !== undefined && { on: run.on }),
      name,
      takesInput: input !== 'none',
      screen,
      ...(evidence !== null && { evidence }),
    };
  }
  throw new Failure(
    'run-ended',
    run === undefined ? `${name} no longer exists` : `${name} is not running: ${formatStatus(run)}`,
    `see its output: unstuck log ${name}`,
  );
}
