import { listOf, textOf } from './turns.mjs';

/** @param {string} type @param {object} [more] */
const event = (type, more) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}`;

/** @param {object} content */
const message = (content) => ({
  id: `msg_${Date.now().toString(36)}`,
  type: 'message',
  role: 'assistant',
  model: 'scripted',
  stop_sequence: null,
  usage: {
    input_tokens: 10,
    cache_creation_input_tokens: 2,
    cache_read_input_tokens: 4,
    output_tokens: 5,
  },
  ...content,
});

const errorTypes = new Map([
  [401, 'authentication_error'],
  [429, 'rate_limit_error'],
  [529, 'overloaded_error'],
]);

/** Anthropic Messages: claude. @type {import('./turns.mjs').Api} */
export const anthropic = {
  serves: (path) => path.startsWith('/v1/messages'),
  read(body) {
    const results = listOf(body.messages)
      .flatMap(({ content }) => listOf(content))
      .filter(({ type }) => type === 'tool_result');
    return {
      results: results.length,
      tools: listOf(body.tools).map(({ name }) => name),
      outputs: results.map(({ content }) => textOf(content)),
    };
  },
  format(part) {
    switch (part.at) {
      case 'start':
        return [event('message_start', { message: message({ content: [], stop_reason: null }) })];
      case 'text':
        return block({ type: 'text', text: '' }, { type: 'text_delta', text: part.text });
      case 'call':
        return block(
          { type: 'tool_use', id: part.id, name: part.name, input: {} },
          { type: 'input_json_delta', partial_json: JSON.stringify(part.input) },
        );
      case 'end':
        return [
          event('message_delta', {
            delta: { stop_reason: part.called ? 'tool_use' : 'end_turn', stop_sequence: null },
            usage: { output_tokens: 9 },
          }),
          event('message_stop'),
        ];
    }
  },
  plain: () =>
    message({ content: [{ type: 'text', text: 'Done.' }], stop_reason: 'end_turn', input_tokens: 10 }),
  failed: (status) => ({
    type: 'error',
    error: { type: errorTypes.get(status) ?? 'api_error', message: `scripted ${status}` },
  }),
};

/** @param {object} content_block @param {object} delta */
function block(content_block, delta) {
  return [
    event('content_block_start', { index: 0, content_block }),
    event('content_block_delta', { index: 0, delta }),
    event('content_block_stop', { index: 0 }),
  ];
}
