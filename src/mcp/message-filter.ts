import { Transform, type TransformCallback } from 'node:stream';
import { deserializeMessage, INVALID_REQUEST, PARSE_ERROR } from '@modelcontextprotocol/server';

const newline = 0x0a;

/** What a client is told about a line that is not a message. `id`: null where it cannot be known. */
export interface BadMessage {
  id: string | number | null;
  code: number;
  message: string;
}

/** Passes on the lines that are messages. The package would drop the others, and their sender would wait for ever. */
export class MessageFilter extends Transform {
  readonly #bytesMax: number;
  readonly #refuse: (bad: BadMessage) => void;
  /** The line that has not ended. */
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(bytesMax: number, refuse: (bad: BadMessage) => void) {
    super();
    this.#bytesMax = bytesMax;
    this.#refuse = refuse;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let from = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      this.#keep(chunk.subarray(from, end + 1));
      this.#takeLine();
      from = end + 1;
    }
    this.#keep(chunk.subarray(from));
    // The transport has the same limit, and reports it.
    if (this.#bytes > this.#bytesMax) this.push(this.#taken());
    done();
  }

  #keep(part: Buffer): void {
    this.#parts.push(part);
    this.#bytes += part.length;
  }

  #taken(): Buffer {
    const line = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    return line;
  }

  #takeLine(): void {
    const line = this.#taken();
    const text = line.toString();
    if (text.trim() === '') return;
    try {
      deserializeMessage(text);
    } catch (error) {
      const bad = badMessage(text, error);
      if (bad !== null) this.#refuse(bad);
      return;
    }
    this.push(line);
  }
}

/** null: an answer, which is not answered. */
function badMessage(text: string, error: unknown): BadMessage | null {
  if (error instanceof SyntaxError)
    return { id: null, code: PARSE_ERROR, message: 'a line that is not JSON' };
  const content: unknown = JSON.parse(text);
  const fields = (typeof content === 'object' ? content : null) ?? {};
  if ('result' in fields || 'error' in fields) return null;
  const id = 'id' in fields && isId(fields.id) ? fields.id : null;
  return { id, code: INVALID_REQUEST, message: 'not a message of JSON-RPC 2.0' };
}

const isId = (id: unknown): id is string | number => typeof id === 'string' || typeof id === 'number';
