import { listOf, textOf } from './turns.mjs';

/** @param {string} type @param {object} more */
const event = (type, more) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}`;

const usage = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 4 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 15,
};

/** @param {string} text */
const said = (text) => ({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] });

/** OpenAI Responses: codex. @type {import('./turns.mjs').Api} */
export const openaiResponses = {
  serves: (path) => path.endsWith('/responses'),
  read(body) {
    const outputs = listOf(body.input).filter(({ type }) => String(type).endsWith('_call_output'));
    const sessions = outputs.map(({ output }) => sessionOf(JSON.stringify(output ?? '')));
    return {
      results: outputs.length,
      sessions: sessions.filter((session) => session !== null).length,
      session: sessions.at(-1) ?? null,
      tools: listOf(body.tools).flatMap(({ name, type, tools }) =>
        type === 'namespace'
          ? listOf(tools).map((/** @type {any} */ tool) => `${name}.${tool.name}`)
          : [name ?? type],
      ),
      outputs: outputs.map(({ output }) => textOf(output)),
    };
  },
  format(part) {
    switch (part.at) {
      case 'start':
        return [event('response.created', { response: { id: 'resp_1' } })];
      case 'text':
        return item({ id: 'msg_1', ...said(part.text) });
      case 'call':
        return item({
          type: 'function_call',
          id: `fc_${part.id}`,
          call_id: part.id,
          ...nameOf(part.name),
          arguments: JSON.stringify(part.input),
        });
      case 'end':
        return [event('response.completed', { response: { id: 'resp_1', usage } })];
    }
  },
  plain: () => ({ id: 'resp_1', object: 'response', status: 'completed', output: [said('Done.')], usage }),
  failed: (status) => ({ error: { message: `scripted ${status}`, type: 'server_error' } }),
};

/** A tool of a namespace is called by two names. @param {string} name */
function nameOf(name) {
  const [namespace, inner] = name.split('.');
  return inner === undefined ? { name } : { name: inner, namespace };
}

/** codex lets a command go on after a while, and tells the model how to ask for it. @param {string} output */
function sessionOf(output) {
  const found = /running with session ID (\d+)/.exec(output);
  return found === null ? null : Number(found[1]);
}

/** @param {object} item */
function item(item) {
  return [
    event('response.output_item.added', { output_index: 0, item }),
    event('response.output_item.done', { output_index: 0, item }),
  ];
}
