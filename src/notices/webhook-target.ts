import { createHmac } from 'node:crypto';
import type { ClientRequest, IncomingMessage } from 'node:http';
import http from 'node:http';
import https from 'node:https';
import type { Notice, Webhook } from '../model/notice.js';
import { type Attempt, type DeliveryTarget, deliveryBody } from './delivery-target.js';
import { lookupFor, parseWebhookUrl, readSecret, shownUrl } from './webhook-url.js';

const pauseMsFirst = 1000;
const pauseMsMax = 60_000;
const patienceMs = 60 * 60_000;
/** A response is not used, only drained, up to this size and time. */
const answerBytesMax = 64 * 1024;
const answerMs = 500;

/** Refusals that the server may withdraw later. */
const passing: ReadonlySet<number> = new Set([408, 429]);

/** A notice in the form that a service expects. */
export interface WebhookRequest {
  url: string;
  /** JSON. */
  body: string;
}

export interface FormattedWebhook extends Webhook {
  /** Default: the notice as JSON. Throws an error that states what to do. */
  format?: (notice: Notice) => WebhookRequest;
}

/** A URL that gets each notice by POST, signed if there is a secret. */
export class WebhookTarget implements DeliveryTarget {
  readonly name: string;
  /** null: the URL is invalid, as in an edited run.json. */
  readonly #url: URL | null;
  readonly #secretFile: string | null;
  readonly #limitMs: number;
  readonly #format: NonNullable<FormattedWebhook['format']>;

  constructor({ url, secretFile, format }: FormattedWebhook, limitMs: number) {
    this.#url = tryParse(url);
    this.#format = format ?? ((notice) => ({ url, body: deliveryBody(notice) }));
    this.#secretFile = secretFile;
    this.#limitMs = limitMs;
    this.name = this.#url === null ? 'the webhook' : `the webhook ${shownUrl(this.#url)}`;
  }

  /** 1 s, 2 s, 4 s … 60 s, each up to half shorter so that many retries do not come at once. */
  pauseMs(failures: number, sinceMs: number, random: () => number): number | null {
    const pauseMs = Math.min(pauseMsMax, pauseMsFirst * 2 ** (failures - 1)) * (1 - random() / 2);
    return sinceMs + pauseMs > patienceMs ? null : pauseMs;
  }

  async attempt(notice: Notice, signal: AbortSignal): Promise<Attempt> {
    if (this.#url === null) return { kind: 'refused', reason: 'its URL is invalid or not encrypted' };
    const timestamp = String(Math.floor(Date.now() / 1000));
    let signature: Record<string, string> = {};
    let url: URL;
    let body: string;
    try {
      const request = this.#format(notice);
      body = request.body;
      url = parseWebhookUrl(request.url);
      if (this.#secretFile !== null) signature = sign(readSecret(this.#secretFile), timestamp, body);
    } catch (error) {
      return { kind: 'failed', reason: (error as Error).message, reportNow: true };
    }
    return post(url, body, {
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'unstuck',
        'unstuck-seq': notice.seq,
        'unstuck-timestamp': timestamp,
        ...signature,
      },
      limitMs: this.#limitMs,
      signal,
    });
  }
}

function tryParse(url: string): URL | null {
  try {
    return parseWebhookUrl(url);
  } catch {
    return null;
  }
}

/** The signature includes the time, so that an intercepted request cannot be used later. */
function sign(secret: Buffer, timestamp: string, body: string): Record<string, string> {
  const digest = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return { 'unstuck-signature': `sha256=${digest}` };
}

interface PostOptions {
  headers: http.OutgoingHttpHeaders;
  /** For everything: name lookup, connection, request and response. */
  limitMs: number;
  signal: AbortSignal;
}

/** A request over a connection of its own. Resolves when the connection is closed. Redirects are not followed. */
function post(url: URL, body: string, { headers, limitMs, signal }: PostOptions): Promise<Attempt> {
  return new Promise((resolve) => {
    let attempt: Attempt | null = null;
    const common = { method: 'POST', headers, agent: false, lookup: lookupFor(url), signal };
    const request: ClientRequest =
      url.protocol === 'https:'
        ? // Overrides NODE_TLS_REJECT_UNAUTHORIZED in the environment.
          https.request(url, { ...common, rejectUnauthorized: true })
        : http.request(url, common);
    const timer = setTimeout(() => {
      attempt ??= { kind: 'failed', reason: `no answer within ${limitMs / 1000} s` };
      request.destroy();
    }, limitMs);
    request.once('response', (response) => {
      attempt ??= judge(response.statusCode ?? 0);
      letEnd(response, request);
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      attempt ??= { kind: 'failed', reason: `it cannot be reached (${error.code ?? error.name})` };
    });
    request.once('close', () => {
      clearTimeout(timer);
      resolve(attempt ?? { kind: 'failed', reason: 'the connection was closed' });
    });
    request.end(body);
  });
}

function judge(status: number): Attempt {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  const isFinal = status >= 400 && status < 500 && !passing.has(status);
  return { kind: isFinal ? 'refused' : 'failed', reason: `it answered with status ${status}` };
}

function letEnd(response: IncomingMessage, request: ClientRequest): void {
  let bytes = 0;
  const timer = setTimeout(() => request.destroy(), answerMs);
  response.on('data', ({ length }: Buffer) => {
    bytes += length;
    if (bytes > answerBytesMax) request.destroy();
  });
  response.on('error', () => {});
  response.once('close', () => {
    clearTimeout(timer);
    request.destroy();
  });
}

const postMsMax = 10_000;

/** One request with a value as JSON. */
export function postJson(url: URL, value: unknown, signal: AbortSignal): Promise<Attempt> {
  const body = JSON.stringify(value);
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'user-agent': 'unstuck',
  };
  return post(url, body, { headers, limitMs: postMsMax, signal });
}
