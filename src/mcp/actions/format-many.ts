import type { OperationOutput } from '../../control/operations/table.js';
import { headAndTail } from '../../text/head-and-tail.js';
import { agentBrief } from '../agent-brief.js';
import type { ToolAnswer } from '../answer.js';
import { waitSMax } from '../wait-more.js';
import { afterWait, call, formatWoken } from '../words.js';

type Many = OperationOutput<'waitMany'>;
type Result = Many['results'][number];

/** Output of all runs together; each gets the same share. */
const charsMax = 6000;

/** The answer to a wait for several runs. */
export function formatMany({ status, results, waitedS, clamped }: Many): ToolAnswer {
  const shareChars = Math.floor(charsMax / results.length);
  const short = results.map((result) => ({
    ...result,
    output: headAndTail(result.output, shareChars).output,
  }));
  const limit = clamped ? ` (One wait lasts at most ${waitSMax} s.)` : '';
  return {
    message: `${short.map((result) => sentence(result, waitedS)).join('\n')}${limit}`,
    printed: short.map(({ id, output }) => ({ of: id, text: output })),
    data: { status, waitedS, ...(clamped && { clamped }), results: short.map(facts) },
    next: nextStep(short, waitedS),
  };
}

function sentence(result: Result, waitedS: number): string {
  const { status } = result;
  return status === 'running'
    ? `${result.id} is running, ${result.health}: ${result.why}`
    : formatWoken({ ...result, status, waitedS });
}

function facts(result: Result) {
  const { id, label, status, exit, health, why, output, omitted, line, port, outputLost } = result;
  return {
    ...{ id, label, status, health, why },
    ...(output !== '' && { output }),
    ...(omitted > 0 && { omitted }),
    ...(exit !== undefined && { exit }),
    ...(line !== undefined && { line }),
    ...(port !== undefined && { port }),
    ...(outputLost !== undefined && { outputLost }),
    ...agentBrief(result.agent),
  };
}

/** The run that needs something comes first; then the runs that go on. */
function nextStep(results: readonly Result[], waitedS: number): string {
  const troubled = results.find(({ status }) => status === 'needs-input' || status === 'stuck');
  if (troubled !== undefined && troubled.status !== 'running') {
    return afterWait({ ...troubled, status: troubled.status, waitedS });
  }
  const live = results
    .filter(({ exit, status }) => exit === undefined && status !== 'lost')
    .map(({ id }) => id);
  if (live.length > 0)
    return `${live.length === 1 ? '1 goes' : `${live.length} go`} on running: ${call('process', { action: 'wait', ids: live })}`;
  const failed = results.find(({ exit }) => exit?.code !== 0);
  return failed === undefined
    ? 'all are done; nothing to clean up'
    : call('process', { action: 'log', id: failed.id, errors: true });
}
