import type { OperationOutput } from '../../control/operations/table.js';
import { agentBrief } from '../agent-brief.js';
import type { ToolAnswer } from '../answer.js';
import { waitSMax } from '../wait-more.js';
import { afterWait, formatLost, formatOutput, formatWoken } from '../words.js';

/** The answer to a wait: what ended it, and the output since. */
export function formatWait(woken: OperationOutput<'wait'>): ToolAnswer {
  const { id, status, exit, health, why, waitedS, line, port, output, omitted, clamped, outputLost } = woken;
  return {
    data: {
      ...{ id, status, health, why, waitedS, output },
      ...(omitted > 0 && { omitted }),
      ...(exit !== undefined && { exit }),
      ...(outputLost !== undefined && { outputLost }),
      ...(line !== undefined && { line }),
      ...(port !== undefined && { port }),
      ...(clamped && { clamped }),
      ...agentBrief(woken.agent),
    },
    text: [
      formatWoken(woken),
      ...(clamped ? [`(one wait lasts at most ${waitSMax} s)`] : []),
      ...formatLost(outputLost),
      formatOutput(output),
    ].join('\n'),
    next: afterWait(woken),
  };
}
