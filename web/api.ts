import type { OperationInput, OperationName, OperationOutput } from '../src/model/operations/operations.js';
import type { WebCallName, WebCalls } from '../src/model/web.js';

/** An answer that is no success; the message is a sentence for people. */
export class CallError extends Error {
  readonly code: string;
  readonly hint: string;

  constructor(code: string, message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

export function call<Name extends OperationName>(
  name: Name,
  input: OperationInput<Name>,
  signal?: AbortSignal,
) {
  return post(name, input, signal) as Promise<OperationOutput<Name>>;
}

export function ask<Name extends WebCallName>(
  name: Name,
  input: WebCalls[Name]['input'],
  signal?: AbortSignal,
) {
  return post(name, input, signal) as Promise<WebCalls[Name]['output']>;
}

async function post(name: string, input: unknown, signal?: AbortSignal): Promise<unknown> {
  const answer = await fetch(`/api/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
    ...(signal !== undefined && { signal }),
  }).catch((error) => {
    if (signal?.aborted) throw error;
    throw new CallError('away', 'the dashboard does not answer', 'is `unstuck web` still running?');
  });
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
  const content: unknown = isJson ? await answer.json() : await answer.text();
  if (answer.ok) return content;
  const { error = {} } = (isJson ? content : {}) as { error?: Partial<CallError> };
  const { code = 'refused', message = String(content), hint = '' } = error;
  throw new CallError(code, message, hint);
}
