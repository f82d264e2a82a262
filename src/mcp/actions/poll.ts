import { background } from '../../control/background.js';
import { agentBrief } from '../agent-brief.js';
import { formatEnd, formatLost, printedBy, waitCall } from '../words.js';
import type { Action } from './action.js';

export const poll: Action = {
  takes: ['id', 'limit'],
  act: async ({ id, limit, all }, { session, signal }) => {
    const which = { id, ...session.scope(all), reader: session.owner, plain: true };
    const answer = await background.poll({ ...which, ...(limit !== undefined && { limit }) }, { signal });
    const { id: whole, status, health, why, output, omitted, exit, outputLost, warnings } = answer;
    const { rows, printed } = printedBy(whole, output, omitted);
    return {
      message: status === 'running' ? `${whole} is running, ${health}: ${why}` : formatEnd(whole, why),
      rows: [...formatLost(outputLost), ...(warnings ?? []).map((warning) => `note: ${warning}`), ...rows],
      printed,
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
      next: status === 'running' ? `still running: ${waitCall(whole)}` : 'done; nothing to clean up',
    };
  },
};
