import { waitMore } from '../wait-more.js';
import { waitUntilQuiet } from '../wait-until-quiet.js';
import type { Action } from './action.js';
import { askPerson, submitReply } from './ask-person.js';
import { formatWait } from './format-wait.js';

export const wait: Action = {
  takes: ['id', 'timeoutS', 'until', 'match', 'port', 'quietS', 'ask'],
  act: async ({ id, timeoutS, until, match, port, quietS, ask, all }, context) => {
    const { reply } = context;
    const which = { id, ...context.session.scope(all) };
    if (ask && reply.kind !== 'not-asked') return submitReply(which, context);
    const isForQuiet = until?.includes('quiet') === true && match === undefined;
    const woken = await (isForQuiet ? waitUntilQuiet : waitMore)(context, {
      ...which,
      ...(timeoutS !== undefined && { timeoutS }),
      ...(until !== undefined && { until }),
      ...(match !== undefined && { match }),
      ...(port !== undefined && { port }),
      ...(quietS !== undefined && { quietS }),
    });
    if (ask && woken.status === 'needs-input') return askPerson(which, woken.output, context);
    return formatWait(woken);
  },
};
