import type { OperationOutput } from '../../control/operations/table.js';
import { agentBrief } from '../agent-brief.js';
import type { Told } from '../answer.js';
import { waitSMax } from '../wait-more.js';
import { afterWait, lostWords, outputWords, wokenWords } from '../words.js';

/** What ended a wait, and what was printed meanwhile. */
export function toldWait(woken: OperationOutput<'wait'>): Told {
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
      wokenWords(woken),
      ...(clamped ? [`(one wait is at most ${waitSMax} s)`] : []),
      ...lostWords(outputLost),
      outputWords(output),
    ].join('\n'),
    next: afterWait(woken),
  };
}
