import type { OperationOutput } from '../../control/operations/table.js';
import { quoted } from '../../text/visible.js';
import type { ToolAnswer } from '../answer.js';
import { afterWait, formatLost, formatWoken, printedBy } from '../words.js';

const labelChars = 60;

/** The answer to a start: the run, and what it did meanwhile. */
export function formatStarted(
  { id, pid, label, warnings }: Pick<OperationOutput<'start'>, 'id' | 'pid' | 'label' | 'warnings'>,
  woken: OperationOutput<'wait'>,
): ToolAnswer {
  const { output, omitted, status, exit, health, why, outputLost } = woken;
  const isRunning = status !== 'exited' && status !== 'lost';
  const { rows, printed } = printedBy(id, output, omitted);
  return {
    message:
      status === 'timeout'
        ? `${id} (${quoted(label, labelChars)}) is running, pid ${pid}.`
        : formatWoken(woken),
    rows: [...warnings.map((warning) => `warning: ${warning}`), ...formatLost(outputLost), ...rows],
    printed,
    data: {
      ...{ id, pid, status: isRunning ? 'running' : status, label, health, why, output },
      ...(status === 'needs-input' && { needsInput: true }),
      ...(omitted > 0 && { omitted }),
      ...(exit !== undefined && { exit }),
      ...(outputLost !== undefined && { outputLost }),
      ...(warnings.length > 0 && { warnings }),
    },
    next: afterWait(woken),
  };
}
