import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { anthropic } from './anthropic.mjs';
import { gemini } from './gemini.mjs';
import { openaiChat } from './openai-chat.mjs';
import { openaiResponses } from './openai-responses.mjs';
import { afterFailures, callOf, turnFor } from './turns.mjs';

const apis = [anthropic, openaiResponses, openaiChat, gemini];
const bodyBytesMax = 64 * 1024 * 1024;

/**
 * A model that follows a script, for agents that run against loopback.
 *
 * @param {readonly import('./turns.mjs').Turn[]} script
 * @param {(line: string) => void} [note] One line per request.
 */
export function scriptedApi(script, note = () => {}) {
  const failures = new Map();
  return createServer((request, response) => {
    answer(script, failures, request, response, note).catch((error) => {
      note(`failed ${error.message}`);
      response.destroy();
    });
  });
}

/**
 * @param {readonly import('./turns.mjs').Turn[]} script
 * @param {Map<import('./turns.mjs').Turn, number>} failures
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 * @param {(line: string) => void} note
 */
async function answer(script, failures, request, response, note) {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const api = apis.find(({ serves }) => serves(url.pathname));
  const text = await readBody(request);
  if (api === undefined || request.method !== 'POST') {
    note(`${request.method} ${url.pathname} not-found`);
    send(response, request.method === 'GET' ? 200 : 404, {});
    return;
  }
  const body = JSON.parse(text);
  const asked = api.read(body);
  const isStream = body.stream === true || url.pathname.includes(':stream');
  const turn = afterFailures(turnFor(script, asked), failures);
  note(`${request.method} ${url.pathname} results ${asked.results} tools ${asked.tools.length} ${turn.kind}`);
  if (asked.outputs.length > 0) note(`outputs ${JSON.stringify(asked.outputs)}`);
  if (turn.kind === 'error') send(response, turn.status, api.failed(turn.status));
  else if (!isStream) send(response, 200, api.plain());
  else await stream(api, turn, asked, response);
}

/**
 * @param {import('./turns.mjs').Api} api
 * @param {Exclude<import('./turns.mjs').Turn, { kind: 'error' }>} turn
 * @param {import('./turns.mjs').Asked} asked
 * @param {import('node:http').ServerResponse} response
 */
async function stream(api, turn, asked, response) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  // Headers, and then nothing until the client gives up.
  if (turn.kind === 'silent') return;
  /** @param {import('./turns.mjs').Part} part */
  const write = (part) => {
    for (const event of api.format(part)) response.write(`${event}\n\n`);
  };
  const calls = turn.kind === 'shell' || turn.kind === 'poll' || turn.kind === 'tool';
  write({ at: 'start' });
  if (turn.kind === 'drop') {
    write({ at: 'text', text: 'The ans' });
    await delay(50);
    response.destroy();
    return;
  }
  if (calls) write(callOf(turn, asked));
  else if (turn.kind === 'text') write({ at: 'text', text: turn.text });
  else {
    for (const text of turn.text.split(/(?<= )/)) {
      write({ at: 'text', text });
      await delay(turn.everyMs);
    }
  }
  write({ at: 'end', called: calls });
  response.end();
}

/** @param {import('node:http').ServerResponse} response @param {number} status @param {object} value */
function send(response, status, value) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

/** @param {import('node:http').IncomingMessage} request */
async function readBody(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) throw new Error('the request is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

// node server.mjs '[{"kind":"text","text":"Hello"}]' [LOG]: prints its port.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , script = '[]', log] = process.argv;
  const server = scriptedApi(JSON.parse(script), (line) => log && appendFileSync(log, `${line}\n`));
  server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => {
    const address = server.address();
    console.log(typeof address === 'object' ? address?.port : address);
  });
}
