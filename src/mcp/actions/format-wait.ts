import type { OperationOutput } from '../../control/operations/table.js';
import { agentBrief } from '../agent-brief.js';
import type { ToolAnswer } from '../answer.js';
import { waitSMax } from '../wait-more.js';
import { afterWait, formatLost, formatWoken, printedBy } from '../words.js';

/** The answer to a wait: what ended it, and the output since. */
export function formatWait(woken: OperationOutput<'wait'>): ToolAnswer {
  const { id, status, exit, health, why, waitedS, line, port, output, omitted, clamped, outputLost } = woken;
  const { rows, printed } = printedBy(id, output, omitted);
  return {
    message: `${formatWoken(woken)}${clamped ? ` (One wait lasts at most ${waitSMax} s.)` : ''}`,
    rows: [...formatLost(outputLost), ...rows],
    printed,
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
    next: afterWait(woken),
  };
}
