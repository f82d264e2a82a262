import { randomBytes } from 'node:crypto';
import http from 'node:http';
import type { Socket } from 'node:net';

const messageBytesMax = 4 * 1024 * 1024;

/** A connection of text messages to a server on this machine: as much of RFC 6455 as the inspector of Node needs. */
export interface TextSocket {
  send(text: string): void;
  close(): void;
}

/** Rejects when the server does not take the connection within the time. */
export function openTextSocket(
  url: string,
  limitMs: number,
  { message, closed }: { message(text: string): void; closed(): void },
): Promise<TextSocket> {
  return new Promise((resolve, reject) => {
    const request = http.get(url.replace(/^ws:/, 'http:'), {
      timeout: limitMs,
      headers: {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
      },
    });
    request.once('timeout', () => request.destroy(new Error('no answer')));
    request.once('error', reject);
    request.once('response', (response) => {
      response.resume();
      reject(new Error(`answered ${response.statusCode}`));
    });
    request.once('upgrade', (_response, socket: Socket, head) => {
      socket.setTimeout(0);
      socket.on('error', () => socket.destroy());
      socket.once('close', closed);
      const frames = new FrameReader(message, () => socket.destroy());
      socket.on('data', (bytes: Buffer) => frames.push(bytes));
      if (head.length > 0) frames.push(head);
      resolve({ send: (text) => void socket.write(textFrame(text)), close: () => socket.destroy() });
    });
  });
}

const opcodes = { continued: 0, text: 1, close: 8 } as const;

/** Cuts bytes into messages; a message that is too long or not understood ends the connection. */
export class FrameReader {
  readonly #message: (text: string) => void;
  readonly #fail: () => void;
  #bytes: Buffer = Buffer.alloc(0);
  #parts: Buffer[] = [];

  constructor(message: (text: string) => void, fail: () => void) {
    this.#message = message;
    this.#fail = fail;
  }

  push(bytes: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    for (let frame = this.#next(); frame !== null; frame = this.#next()) {
      if (frame.opcode === opcodes.close) {
        this.#fail();
        return;
      }
      if (frame.opcode !== opcodes.text && frame.opcode !== opcodes.continued) continue;
      this.#parts.push(frame.payload);
      if (this.#parts.reduce((sum, part) => sum + part.length, 0) > messageBytesMax) {
        this.#fail();
        return;
      }
      if (!frame.last) continue;
      const text = Buffer.concat(this.#parts).toString('utf8');
      this.#parts = [];
      this.#message(text);
    }
  }

  #next(): { opcode: number; last: boolean; payload: Buffer } | null {
    const bytes = this.#bytes;
    if (bytes.length < 2) return null;
    const [first, second] = [bytes[0] as number, bytes[1] as number];
    const short = second & 127;
    const head = short === 126 ? 4 : short === 127 ? 10 : 2;
    if (bytes.length < head) return null;
    const length =
      short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
    // A server never masks, and never sends more than was requested.
    if (second > 127 || length > messageBytesMax) {
      this.#bytes = Buffer.alloc(0);
      this.#fail();
      return null;
    }
    if (bytes.length < head + length) return null;
    this.#bytes = bytes.subarray(head + length);
    return { opcode: first & 15, last: first > 127, payload: bytes.subarray(head, head + length) };
  }
}

/** Frames of a client are masked. */
function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const mask = randomBytes(4);
  const head =
    payload.length < 126 ? Buffer.from([0x81, 0x80 | payload.length]) : Buffer.from([0x81, 0xfe, 0, 0]);
  if (payload.length >= 126) head.writeUInt16BE(payload.length, 2);
  for (let at = 0; at < payload.length; at += 1)
    payload[at] = (payload[at] as number) ^ (mask[at % 4] as number);
  return Buffer.concat([head, mask, payload]);
}
