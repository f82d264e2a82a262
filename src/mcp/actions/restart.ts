import { background } from '../../control/background.js';
import { waitMore } from '../wait-more.js';
import type { Action } from './action.js';
import { formatStarted } from './format-started.js';

/** Long enough to see it fail at once. */
const waitDefaultS = 1;

export const restart: Action = {
  takes: ['id', 'timeoutS'],
  act: async ({ id, timeoutS = waitDefaultS, all }, context) => {
    const { session, signal } = context;
    const which = { id, ...session.scope(all) };
    const { replaced, ...started } = await session.startAgain(id, () =>
      background.restart(which, { signal }),
    );
    session.notices.expect();
    const answer = formatStarted(started, await waitMore(context, { id: started.id, timeoutS }));
    const before = `${replaced.id} ${replaced.status === 'killed' ? 'is stopped' : 'had ended'}.`;
    return {
      ...answer,
      message: `${before} ${answer.message}`,
      data: { ...answer.data, replaced: { id: replaced.id, status: replaced.status } },
    };
  },
};
