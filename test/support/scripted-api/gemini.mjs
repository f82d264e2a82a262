import { listOf, textOf } from './turns.mjs';

/** @param {object[]} parts @param {object} [more] */
const answer = (parts, more) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
  usageMetadata: {
    promptTokenCount: 10,
    cachedContentTokenCount: 4,
    candidatesTokenCount: 5,
    totalTokenCount: 15,
  },
  modelVersion: 'scripted',
});

/** @param {object} value */
const event = (value) => `data: ${JSON.stringify(value)}`;

/** Gemini generateContent: gemini-cli. @type {import('./turns.mjs').Api} */
export const gemini = {
  serves: (path) => /:(?:streamGenerateContent|generateContent|countTokens)$/.test(path),
  read(body) {
    const results = listOf(body.contents)
      .flatMap(({ parts }) => listOf(parts))
      .filter((part) => part.functionResponse !== undefined);
    return {
      results: results.length,
      tools: listOf(body.tools)
        .flatMap(({ functionDeclarations }) => listOf(functionDeclarations))
        .map(({ name }) => name),
      outputs: results.map(({ functionResponse: { response } }) => textOf(response.output ?? response)),
    };
  },
  format(part) {
    switch (part.at) {
      case 'start':
        return [];
      case 'text':
        return [event(answer([{ text: part.text }]))];
      case 'call':
        return [event(answer([{ functionCall: { id: part.id, name: part.name, args: part.input } }]))];
      case 'end':
        return [event(answer([], { finishReason: 'STOP' }))];
    }
  },
  plain: () => ({
    ...answer([{ text: '{"model_choice":"flash"}' }], { finishReason: 'STOP' }),
    totalTokens: 10,
  }),
  failed: (status) => ({ error: { code: status, message: `scripted ${status}`, status: 'UNAVAILABLE' } }),
};
