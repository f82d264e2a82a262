import { background } from '../../control/background.js';
import { exitWords } from '../../model/run/run.js';
import { waitCall } from '../words.js';
import type { Action } from './action.js';

/** Actions whose answer is short. */

/** Characters of its last output to show. */
const lastChars = 300;

export const kill: Action = {
  takes: ['id'],
  act: async ({ id, all }, { session, signal }) => {
    const which = { id, ...session.scope(all) };
    const { id: whole, status, exit, receipt } = await background.kill(which, { signal });
    // Reading the end here keeps it from coming again as a notice.
    const last = { ...which, reader: session.owner, plain: true, limit: lastChars };
    const { output } = await background.poll(last, { signal });
    const { processes = [] } = (receipt ?? {}) as { processes?: { pid: number; result: string }[] };
    const survivors = processes.filter(({ result }) => result !== 'ended').map(({ pid }) => pid);
    const count = `${processes.length} ${processes.length === 1 ? 'process' : 'processes'}`;
    const left = survivors.length > 0 ? `; still alive: ${survivors.join(', ')}` : '';
    return {
      message:
        status === 'killed'
          ? `${whole} is stopped, ${count} signalled${left}.`
          : `${whole} had ended already: ${exitWords(exit)}.`,
      printed: [{ of: whole, text: output }],
      data: {
        ...{ id: whole, status, stopped: processes.length - survivors.length },
        ...(survivors.length > 0 && { survivors }),
        ...(exit !== undefined && { exit }),
        ...(output !== '' && { output }),
      },
      next: 'done; its output is kept for a while: process log',
    };
  },
};

export const write: Action = {
  takes: ['id', 'data', 'timeoutS'],
  act: async ({ id, data, timeoutS, all }, { session, signal }) => {
    const input = { id, ...session.scope(all), data: data ?? '' };
    const answer = await background.write(
      { ...input, ...(timeoutS !== undefined && { timeoutS }) },
      { signal },
    );
    return {
      data: { ...answer },
      message: `${answer.bytes} bytes ${answer.delivered ? 'delivered' : 'kept until it reads them'}.`,
      next: waitCall(answer.id),
    };
  },
};

export const close: Action = {
  takes: ['id'],
  act: async ({ id, all }, { session, signal }) => {
    const answer = await background.close({ id, ...session.scope(all) }, { signal });
    return {
      data: { ...answer },
      message: answer.closed ? 'Its stdin is closed.' : 'Its stdin was closed before.',
      next: waitCall(answer.id),
    };
  },
};
