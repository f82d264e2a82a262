import { type InputRequiredResult, inputRequired } from '@modelcontextprotocol/server';
import { background } from '../../control/background.js';
import { Failure } from '../../model/failure.js';
import type { Told } from '../answer.js';
import type { ToolContext } from '../tool.js';
import { typeAnswer } from './type-answer.js';

type Which = { id: string; owner?: string };

const questionChars = 300;
/** Forms of a client are no place for these: the protocol forbids to ask for them there. */
const secret = /passw|passphrase|secret|token|\bpin\b|one-time|otp\b/i;

/** Lets the client ask its person; what it says comes with the same call made again. */
export async function askPerson(
  which: Which,
  output: string | null,
  { signal }: ToolContext,
): Promise<InputRequiredResult> {
  const { id } = await background.inspect(which, { signal });
  const { runs } = await background.list({ status: 'running' }, { signal });
  const run = runs.find((one) => one.id === id);
  const said = output?.trim().split('\n').at(-1) || run?.lastLine || 'It waits for an answer.';
  const question = said.slice(-questionChars);
  if (secret.test(question)) {
    throw new Failure(
      'unsupported',
      `${id} asks for a secret, and those do not go through a form: ${question}`,
      `the person types it: unstuck attach ${id}`,
    );
  }
  return inputRequired({
    inputRequests: {
      answer: inputRequired.elicit({
        message: `${run?.label ?? id} asks: ${question}`,
        requestedSchema: {
          type: 'object',
          properties: { answer: { type: 'string', title: 'Answer', description: 'Enter is added' } },
          required: ['answer'],
        },
      }),
    },
  });
}

/** What the person said is typed; nothing is when there was nobody to ask. */
export async function submitReply(which: Which, context: ToolContext): Promise<Told> {
  const { reply } = context;
  if (reply.kind === 'answered') return typeAnswer(which, reply.text, context);
  if (reply.kind === 'cannot') {
    throw new Failure(
      'unsupported',
      'this client cannot ask its person',
      'ask in the conversation, then submit the answer as data',
    );
  }
  return {
    data: { id: which.id, status: 'declined' },
    text: 'The person does not want to answer. Nothing was typed.',
    next: 'submit an answer of your own as data, or kill it',
  };
}
