import { type InputRequiredResult, inputRequired } from '@modelcontextprotocol/server';
import { background } from '../../control/background.js';
import { Failure } from '../../model/failure.js';
import { oneLine, quoted } from '../../text/visible.js';
import type { ToolAnswer } from '../answer.js';
import type { ToolContext } from '../tool.js';
import { typeAnswer } from './type-answer.js';

type Which = { id: string; owner?: string };

const questionChars = 300;
/** The MCP specification forbids asking for secrets in a form. */
const secret = /passw|passphrase|secret|token|\bpin\b|one-time|otp\b/i;

/** Makes the client ask its user. The answer comes with a repeat of the same call. */
export async function askPerson(
  which: Which,
  output: string | null,
  { signal }: ToolContext,
): Promise<InputRequiredResult> {
  const { id } = await background.inspect(which, { signal });
  const { runs } = await background.list({ status: 'running' }, { signal });
  const run = runs.find((one) => one.id === id);
  const lastLine = output?.trim().split('\n').at(-1) || run?.lastLine || 'It waits for an answer.';
  const question = lastLine.slice(-questionChars);
  if (secret.test(question)) {
    throw new Failure(
      'unsupported',
      `${id} asks for a secret, which must not go through a form: ${quoted(question, questionChars)}`,
      `let the user type it in a terminal: unstuck attach ${id}`,
    );
  }
  return inputRequired({
    inputRequests: {
      answer: inputRequired.elicit({
        message: `${oneLine(run?.label ?? id)} asks: ${oneLine(question)}`,
        requestedSchema: {
          type: 'object',
          properties: { answer: { type: 'string', title: 'Answer', description: 'Enter is added' } },
          required: ['answer'],
        },
      }),
    },
  });
}

/** Types the user's answer; types nothing when the user declined. */
export async function submitReply(which: Which, context: ToolContext): Promise<ToolAnswer> {
  const { reply } = context;
  if (reply.kind === 'answered') return typeAnswer(which, reply.text, context);
  if (reply.kind === 'cannot') {
    throw new Failure(
      'unsupported',
      'this client cannot ask its user',
      'ask the user in the conversation, then submit the answer as data',
    );
  }
  return {
    data: { id: which.id, status: 'declined' },
    message: 'The user declined to answer. Nothing was typed.',
    next: 'submit an answer of your own as data, or kill it',
  };
}
