import * as z from 'zod/mini';
import { operations } from '../../control/operations/table.js';
import { noticeLine, noticeOutput, type ToolAnswer } from '../answer.js';
import { tool } from '../tool.js';

export const notices = tool({
  name: 'notices',
  title: 'Notices of your runs',
  description: `Notices of your runs: ended, needs input, stuck, a watched text was printed. New notices are added to the next answer of any tool, so you need this only to read them again or to acknowledge them: {"ack": 12} acknowledges all up to number 12. Notices are listed until acknowledged.`,
  annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },
  searchHint: 'notifications of background commands: ended, needs input, stuck',
  input: z.strictObject({ ack: operations.notices.input.shape.ack }),
  fields: { ack: 'Acknowledge all notices up to this number' },
  handle: async ({ ack }, { session, signal }): Promise<ToolAnswer> => {
    const { notices: given, last, more } = await session.notices.read(ack, signal);
    return {
      message:
        given.length === 0 ? 'No notices.' : given.length === 1 ? '1 notice.' : `${given.length} notices.`,
      rows: given.map(noticeLine),
      printed: given.map(noticeOutput),
      data: {
        given: given.map(
          ({ seq, at, kind, runId, label, text, output, exit, outputLost, repeat, known }) => ({
            ...{ seq, at, kind, runId, label, text, repeat },
            ...(output !== '' && { output }),
            ...(exit !== undefined && { exit }),
            ...(outputLost !== undefined && { outputLost }),
            ...(known && { known }),
          }),
        ),
        ...{ last, more },
      },
      next: given.length === 0 ? 'nothing to do' : `notices {"ack": ${last}}`,
    };
  },
});
