import { Failure } from '../../model/failure.js';
import type { Action } from './action.js';
import { askPerson, submitReply } from './ask-person.js';
import { typeAnswer } from './type-answer.js';

export const submit: Action = {
  takes: ['id', 'data', 'timeoutS', 'ask'],
  act: async ({ id, data, timeoutS, ask, all }, context) => {
    const which = { id, ...context.session.scope(all) };
    if (!ask) return typeAnswer(which, data ?? '', context, timeoutS);
    if (data !== undefined) {
      throw new Failure('bad-input', 'submit: data and ask cannot be combined', 'leave out one of them');
    }
    if (context.reply.kind !== 'not-asked') return submitReply(which, context);
    return askPerson(which, null, context);
  },
};
