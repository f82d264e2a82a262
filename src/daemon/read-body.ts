import type { IncomingMessage } from 'node:http';
import { requestBytesMax } from '../control/client/protocol.js';
import { Failure } from '../model/failure.js';

/** So much more is taken and thrown away: whoever is in the middle of sending would not hear our answer. */
const discardBytesMax = 64 * 1024 * 1024;

/** The body of a request as JSON; an empty one is {}. */
export async function readBody(incoming: IncomingMessage): Promise<unknown> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > requestBytesMax + discardBytesMax) break;
    if (bytes > requestBytesMax) chunks = [];
    else chunks.push(chunk);
  }
  if (bytes > requestBytesMax) {
    throw new Failure(
      'too-large',
      `the request is too large (at most ${requestBytesMax} bytes)`,
      'put it into a file, or send it in pieces',
    );
  }
  return parse(Buffer.concat(chunks));
}

function parse(bytes: Buffer): unknown {
  if (bytes.length === 0) return {};
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Failure('bad-input', 'the request is not valid UTF-8', 'send bytes that are no text as base64');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure('bad-input', 'the request is not valid JSON', 'send one JSON object');
  }
}
