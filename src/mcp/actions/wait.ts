import { Failure } from '../../model/failure.js';
import { waitForMany, waitMore } from '../wait-more.js';
import { waitUntilQuiet } from '../wait-until-quiet.js';
import type { Action } from './action.js';
import { askPerson, submitReply } from './ask-person.js';
import { formatMany } from './format-many.js';
import { formatWait } from './format-wait.js';

export const wait: Action = {
  takes: ['id', 'ids', 'mode', 'timeoutS', 'until', 'match', 'port', 'quietS', 'ask'],
  act: async ({ id, ids, mode, timeoutS, until, match, port, quietS, ask, all }, context) => {
    const { reply } = context;
    const scope = context.session.scope(all);
    const conditions = {
      ...(timeoutS !== undefined && { timeoutS }),
      ...(until !== undefined && { until }),
      ...(match !== undefined && { match }),
      ...(port !== undefined && { port }),
      ...(quietS !== undefined && { quietS }),
    };
    if (ids !== undefined) {
      if (ask) throw new Failure('bad-input', 'wait: ids and ask cannot be combined', 'ask with one id');
      return formatMany(await waitForMany(context, { ids, ...scope, ...(mode && { mode }), ...conditions }));
    }
    const which = { id, ...scope };
    if (ask && reply.kind !== 'not-asked') return submitReply(which, context);
    const isForQuiet = until?.includes('quiet') === true && match === undefined;
    const woken = await (isForQuiet ? waitUntilQuiet : waitMore)(context, {
      ...which,
      ...conditions,
    });
    if (ask && woken.status === 'needs-input') return askPerson(which, woken.output, context);
    return formatWait(woken);
  },
};
