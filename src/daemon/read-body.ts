import type { IncomingMessage } from 'node:http';
import { requestBytesMax } from '../control/client/protocol.js';
import { Failure } from '../model/failure.js';

/** Excess bytes that are read and discarded: a client in the middle of sending would not read the answer. */
const discardBytesMax = 64 * 1024 * 1024;

/** More than any input needs; recursive code must not run out of stack. */
const depthMax = 100;

/** The body of a request as JSON; an empty body is {}. */
export async function readBody(incoming: IncomingMessage): Promise<unknown> {
  const { socket } = incoming;
  let chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // A body that does not stop is not answered.
    if (bytes > requestBytesMax + discardBytesMax) socket.destroy();
    if (bytes > requestBytesMax) chunks = [];
    else chunks.push(chunk);
  }
  if (bytes > requestBytesMax) {
    throw new Failure(
      'too-large',
      `the request is too large (at most ${requestBytesMax} bytes)`,
      'put the data into a file, or send it in pieces',
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
    throw new Failure('bad-input', 'the request is not valid UTF-8', 'send binary data as base64');
  }
  if (isTooDeep(text)) {
    throw new Failure('bad-input', `the request is nested deeper than ${depthMax}`, 'send flatter JSON');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure('bad-input', 'the request is not valid JSON', 'send one JSON object');
  }
}

const [quote, backslash] = [0x22, 0x5c];
const opening: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closing: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** Counts brackets outside strings. By hand: a regular expression would need stack for a long text. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length && depth <= depthMax; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) isText = !isText;
    else if (isText) at += code === backslash ? 1 : 0;
    else if (opening.has(code)) depth += 1;
    else if (closing.has(code)) depth -= 1;
  }
  return depth > depthMax;
}
