import { listOf, textOf } from './turns.mjs';

/** @param {object} delta @param {string | null} finish_reason @param {object} [more] */
const chunk = (delta, finish_reason, more) =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'scripted',
    choices: [{ index: 0, delta, finish_reason }],
    ...more,
  })}`;

const usage = {
  prompt_tokens: 10,
  prompt_tokens_details: { cached_tokens: 4 },
  completion_tokens: 5,
  total_tokens: 15,
};

/** OpenAI Chat Completions: opencode, qwen. @type {import('./turns.mjs').Api} */
export const openaiChat = {
  serves: (path) => path.endsWith('/chat/completions'),
  read(body) {
    const results = listOf(body.messages).filter(({ role }) => role === 'tool');
    return {
      results: results.length,
      tools: listOf(body.tools).map((tool) => tool.function?.name),
      outputs: results.map(({ content }) => textOf(content)),
    };
  },
  format(part) {
    switch (part.at) {
      case 'start':
        return [chunk({ role: 'assistant', content: '' }, null)];
      case 'text':
        return [chunk({ content: part.text }, null)];
      case 'call': {
        const { id, name, input } = part;
        const call = { index: 0, id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
        return [chunk({ tool_calls: [call] }, null)];
      }
      case 'end':
        return [chunk({}, part.called ? 'tool_calls' : 'stop', { usage }), 'data: [DONE]'];
    }
  },
  plain: () => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'scripted',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Done.' }, finish_reason: 'stop' }],
    usage,
  }),
  failed: (status) => ({ error: { message: `scripted ${status}`, type: 'server_error' } }),
};
