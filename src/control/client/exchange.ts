import http from 'node:http';
import { onAbort } from '../../model/own-signal.js';
import { jsonOr } from '../../text/parse-json.js';
import { isLeaving, requestIdHeader } from './protocol.js';
import { socketAddress } from './socket-address.js';

const lateStatus = 408;
/** More than any operation answers. */
const answerBytesMax = 128 * 1024 * 1024;

export interface DaemonRequest {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
  requestId?: string;
  /** Default: a connection of its own. */
  agent?: http.Agent | undefined;
  /** Aborting throws its reason. */
  signal?: AbortSignal | undefined;
}

export interface DaemonAnswer {
  status: number;
  /** undefined: not JSON. */
  body: unknown;
  text: string;
}

/** There was no answer: no daemon listens, it has gone, or it is shutting down. */
export class LostConnection extends Error {
  override name = 'LostConnection';
}

/** One request and its answer. Throws LostConnection, or the reason of the signal. */
export function exchange(home: string, request: DaemonRequest): Promise<DaemonAnswer> {
  const { method, path, body, requestId, agent = false, signal } = request;
  signal?.throwIfAborted();
  const address = openAddress(home);
  return new Promise<DaemonAnswer>((resolve, reject) => {
    const headers: http.OutgoingHttpHeaders = { host: 'unstuck' };
    if (requestId !== undefined) headers[requestIdHeader] = requestId;
    if (body !== undefined) {
      headers['content-type'] = 'application/json';
      headers['content-length'] = Buffer.byteLength(body);
    }
    const lose = (error: Error) => reject(new LostConnection(error.message, { cause: error }));
    const sent = http.request({ socketPath: address.path, method, path, headers, agent });
    const abort = () => {
      reject(signal?.reason);
      sent.destroy();
    };
    const release = onAbort(signal, abort);
    sent.once('close', release);
    sent.on('error', lose);
    sent.once('response', (response) => {
      // Our request came too late, as on a busy machine: the daemon has not read it.
      if (response.statusCode === lateStatus) return lose(new Error('the request came too late'));
      readAnswer(response).then((text) => {
        const answer = { status: response.statusCode ?? 0, body: jsonOr(text, undefined), text };
        if (isLeaving(answer)) lose(new Error('the daemon is shutting down'));
        else resolve(answer);
      }, lose);
    });
    sent.end(body);
  }).finally(() => address.close());
}

function openAddress(home: string) {
  try {
    return socketAddress(home);
  } catch (error) {
    throw new LostConnection((error as Error).message, { cause: error });
  }
}

async function readAnswer(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > answerBytesMax) throw new Error('the answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
