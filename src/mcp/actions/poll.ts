import { background } from '../../control/background.js';
import { exitWords } from '../../model/run/exit-words.js';
import { agentBrief } from '../agent-brief.js';
import { formatLost, formatOutput, waitCall } from '../words.js';
import type { Action } from './action.js';

export const poll: Action = {
  takes: ['id', 'limit'],
  act: async ({ id, limit, all }, { session, signal }) => {
    const which = { id, ...session.scope(all), reader: session.owner, plain: true };
    const answer = await background.poll({ ...which, ...(limit !== undefined && { limit }) }, { signal });
    const { id: whole, status, health, why, output, omitted, exit, outputLost, warnings } = answer;
    return {
      data: {
        id: whole,
        status,
        health,
        why,
        output,
        ...(omitted > 0 && { omitted }),
        ...(exit && { exit }),
        ...(outputLost && { outputLost }),
        ...agentBrief(answer.agent),
        ...(warnings && { warnings }),
      },
      text: [
        status === 'running'
          ? `${whole} is running, ${health}: ${why}`
          : `${whole} has ended: ${exitWords(exit)}.`,
        ...formatLost(outputLost),
        ...(warnings ?? []).map((warning) => `note: ${warning}`),
        formatOutput(output),
      ].join('\n'),
      next: status === 'running' ? `still running: ${waitCall(whole)}` : 'done; nothing to clean up',
    };
  },
};
