import * as z from 'zod/mini';
import { Failure } from '../../../model/failure.js';
import { saveJson } from '../../replay/json-file.js';
import type { Collected } from './collect.js';
import { badCapture, type Frame } from './frames.js';
import { maskFrame } from './mask.js';

/** Raised when an old reader could misread a new capture. */
const captureVersion = 1;

const framesMax = 1_000_000;
const text = z.string().check(z.maxLength(16 * 1024 * 1024));
const pidMax = 4_194_304;

const schema = z.object({
  format: z.literal('unstuck-capture'),
  version: z.int().check(z.positive()),
  targetPid: z.int().check(z.positive(), z.lte(pidMax)),
  frames: z
    .array(
      z.object({
        letter: z.string().check(z.length(1)),
        name: text,
        /** Content that is not UTF-8 is in base64. */
        text: z.optional(text),
        base64: z.optional(text),
      }),
    )
    .check(z.maxLength(framesMax)),
});

function stored(frame: Frame): z.infer<typeof schema>['frames'][number] {
  const { letter, name, bytes } = maskFrame(frame);
  const content = bytes.toString('utf8');
  const isText = Buffer.from(content).equals(bytes);
  return { letter, name, ...(isText ? { text: content } : { base64: bytes.toString('base64') }) };
}

/** Writes a capture for a bug report: whole or not at all, readable by its owner only, secrets masked. */
export async function saveCapture(file: string, { targetPid, frames }: Collected): Promise<void> {
  const capture: z.infer<typeof schema> = {
    format: 'unstuck-capture',
    version: captureVersion,
    targetPid,
    frames: frames.map(stored),
  };
  await saveJson(file, capture, 'capture');
}

export function isCapture(json: unknown): boolean {
  return typeof json === 'object' && json !== null && 'format' in json && json.format === 'unstuck-capture';
}

/** A capture from a file, checked. Throws a Failure. */
export function parseCapture(json: unknown): Collected {
  const parsed = schema.safeParse(json);
  if (!parsed.success) throw badCapture('it is not of the right form');
  const { version, targetPid, frames } = parsed.data;
  if (version > captureVersion)
    throw new Failure(
      'future-snapshot',
      `this capture was written by a newer unstuck (version ${version}, this one knows ${captureVersion})`,
      'update unstuck: npm install --global unstuck@latest',
    );
  return {
    targetPid,
    frames: frames.map(({ letter, name, text: content, base64 }) => ({
      letter,
      name,
      bytes: base64 === undefined ? Buffer.from(content ?? '') : Buffer.from(base64, 'base64'),
    })),
  };
}
