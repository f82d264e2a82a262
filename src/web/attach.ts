import type { ServerResponse } from 'node:http';
import { GrowingFile } from '../control/local/growing-file.js';
import { inspectHere } from './inspect-here.js';

/** A full-screen program draws all it shows within this much output. */
const replayBytes = 512 * 1024;

/** The output of a run of this machine. Throws a Failure when there is none. */
export async function openOutput(
  id: string,
  options: { env: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<GrowingFile> {
  const { log, logStart } = await inspectHere(id, options);
  return new GrowingFile(log, logStart);
}

/** Sends it as it is, from a little before its end, as events with base64. The event `live` is between old and new output. */
export async function sendOutput(
  page: ServerResponse,
  file: GrowingFile,
  signal: AbortSignal,
): Promise<void> {
  try {
    const { size } = file;
    const send = async (chunk: Buffer) => {
      if (!page.write(`data: ${chunk.toString('base64')}\n\n`)) await drained(page, signal);
    };
    const at = await file.pass(Math.max(file.first, size - replayBytes), send, size);
    page.write('event: live\ndata: now\n\n');
    await file.follow(at, send, signal);
  } finally {
    file.close();
  }
}

function drained(page: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      page.off('drain', go);
      signal.removeEventListener('abort', go);
      resolve();
    };
    page.on('drain', go);
    signal.addEventListener('abort', go);
    if (signal.aborted) go();
  });
}
