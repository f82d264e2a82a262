import { Failure, type FailureCode, failureCodes } from '../model/failure.js';
import { printable } from '../text/printable.js';

/** Version of what hosts send each other. A host refuses a newer one. */
export const wireVersion = 1;

export const partHeader = 'Unstuck-Part';
/** An answer without a part: the host still works on it. */
export const workingHeader = 'Unstuck-Working';
/** How often a host says that it still works on an answer. */
export const workingEveryMs = 5000;

export interface FleetRequest {
  version: number;
  requestId: string;
  input: unknown;
}

export interface FleetAnswer {
  status: number;
  body: unknown;
}

const partsMax = 1024;
export const answerBytesMax = 64 * 1024 * 1024;

export const encodeJson = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

/** Throws a Failure for anything that is not a request. */
export function parseRequest(bytes: Uint8Array): FleetRequest {
  const { version, requestId, input } = (parseJson(bytes) ?? {}) as Partial<FleetRequest>;
  if (typeof requestId !== 'string' || !/^[\w.:-]{1,128}$/.test(requestId) || typeof version !== 'number') {
    throw new Failure('bad-input', 'not a request of Unstuck', 'see docs/fleet.md for the protocol');
  }
  if (version <= wireVersion) return { version, requestId, input };
  throw new Failure(
    'unsupported',
    `this host is Unstuck ${__UNSTUCK_VERSION__} and does not understand requests of version ${version}`,
    'install the same version on both machines',
  );
}

/** undefined: not JSON. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** Cuts an answer into messages of a size that the server takes. */
export function cutAnswer(answer: FleetAnswer, bytesMax: number): Uint8Array[] {
  const bytes = encodeJson(answer);
  if (bytes.length > answerBytesMax) {
    const failure = new Failure(
      'too-large',
      `the answer has ${bytes.length} bytes, the limit is ${answerBytesMax}`,
      'ask for less: --limit',
    );
    return cutAnswer(failureAnswer(failure), bytesMax);
  }
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += bytesMax) parts.push(bytes.subarray(at, at + bytesMax));
  return parts;
}

export function failureAnswer({ code, message, hint, httpStatus }: Failure): FleetAnswer {
  return { status: httpStatus, body: { error: { code, message, hint } } };
}

export function parsePart(header: string): { index: number; count: number } | null {
  const match = /^(\d{1,4})\/(\d{1,4})$/.exec(header);
  const [index, count] = [Number(match?.[1]), Number(match?.[2])];
  return match !== null && index < count && count <= partsMax ? { index, count } : null;
}

/** Collects the parts of one answer, in any order. */
export class AnswerParts {
  readonly #parts = new Map<number, Uint8Array>();
  #bytes = 0;

  /** The answer when it is whole; null: parts are missing. Throws when it is none. */
  add({ index, count }: { index: number; count: number }, bytes: Uint8Array): FleetAnswer | null {
    this.#bytes += bytes.length;
    if (this.#bytes > answerBytesMax) throw notAnAnswer('it is too large');
    this.#parts.set(index, bytes);
    if (this.#parts.size < count) return null;
    const whole = Buffer.concat(
      Array.from({ length: count }, (_, at) => this.#parts.get(at) ?? Buffer.alloc(0)),
    );
    const { status, body } = (parseJson(whole) ?? {}) as Partial<FleetAnswer>;
    if (typeof status !== 'number') throw notAnAnswer('it is not JSON of Unstuck');
    return { status, body };
  }
}

const notAnAnswer = (why: string) =>
  new Failure('host-away', `the answer cannot be used: ${why}`, 'install the same version on both machines');

const wordsMax = 4000;

/** Words of another machine, for a terminal of this one. */
const shown = (words: unknown) => printable(String(words).slice(0, wordsMax));

/** The output of an operation, or the Failure that it ended with. */
export function outputOf(host: string, { status, body }: FleetAnswer): unknown {
  if (status === 200) return body;
  const { error } = (body ?? {}) as { error?: { code?: unknown; message?: unknown; hint?: unknown } };
  if (typeof error?.code === 'string' && Object.hasOwn(failureCodes, error.code)) {
    throw new Failure(error.code as FailureCode, `${host}: ${shown(error.message)}`, shown(error.hint));
  }
  throw new Failure(
    'host-away',
    `${host} failed: ${shown(error?.message ?? `status ${status}`)}`,
    `see the log of its daemon: unstuck daemon status, on ${host}`,
  );
}
