import * as z from 'zod/mini';
import type { BackgroundRun } from '../../registry/background-run.js';
import { ambiguous, whole } from './shared/fields.js';
import { operation } from './shared/operation.js';
import { onRun, ownRun } from './shared/own-run.js';

/** Larger writes are refused: write in pieces. */
export const inputMax = 8 * 1024 * 1024;

export const writeOutput = z.object({
  id: z.string(),
  /** Bytes accepted. They reach the command in order and once, even if the daemon ends. */
  bytes: z.number(),
  /** true: everything was delivered; null: not known yet, the rest is kept for the command. */
  delivered: z.nullable(z.literal(true)),
  /** Bytes waiting for the command. */
  pending: whole,
  ambiguous,
});

export const write = operation({
  name: 'write',
  summary: 'write to the stdin of a run',
  input: z.strictObject({
    ...ownRun,
    data: z.string().check(z.maxLength(inputMax)),
    /** base64: for binary data. */
    encoding: z._default(z.enum(['utf8', 'base64']), 'utf8'),
    /** Seconds to wait until the command reads it. */
    timeoutS: z._default(z.number().check(z.minimum(0), z.maximum(60)), 2),
  }),
  output: writeOutput,
  handle: onRun((run, { data, encoding, timeoutS }, { requestId, signal }) =>
    writeTo(run, Buffer.from(data, encoding), { timeoutS, requestId, signal }),
  ),
});

interface WriteOptions {
  timeoutS: number;
  requestId: string;
  signal: AbortSignal;
}

export async function writeTo(
  run: BackgroundRun,
  bytes: Buffer,
  { timeoutS, requestId, signal }: WriteOptions,
): Promise<z.input<typeof writeOutput>> {
  const input = run.acts.needInput(requestId);
  const { end } = input.write(bytes, requestId);
  run.answered();
  const isDelivered = await input.awaitDelivered(end, { timeoutMs: timeoutS * 1000, signal });
  run.answered();
  const { pending } = input;
  return { id: run.id, bytes: bytes.length, delivered: isDelivered || pending === 0 ? true : null, pending };
}
