import { setTimeout as delay } from 'node:timers/promises';
import { type AskNotices, followNotices } from '../../../control/follow-notices.js';
import { Failure } from '../../../model/failure.js';
import { jsonText } from '../../../text/json-text.js';
import { note } from '../../output/print.js';
import type { Call } from '../../shared/call.js';
import { endNow } from '../../shared/end-now.js';
import { onInterrupt } from '../../shared/on-interrupt.js';
import type { NoticesFlags } from './flags.js';
import { type NoticesWriter, type OwnWriter, shownNotice } from './writer.js';

const tryAgainMs = 2000;

/** Repeats a request until there is an answer, however long the daemon is away. */
export function retrying(call: Call, signal: AbortSignal, waitMs = tryAgainMs): AskNotices {
  let wasReached = false;
  return async (name, input, options) => {
    for (let noted = ''; ; ) {
      try {
        const output = await call(name, input, options);
        wasReached = true;
        return output;
      } catch (error) {
        // Without any answer so far, waiting does not help.
        if (!wasReached || !(error instanceof Failure) || error.code !== 'no-daemon') throw error;
        if (error.message !== noted) note(`${error.message}; trying again`);
        noted = error.message;
      }
      await delay(waitMs, undefined, { signal });
    }
  };
}

/** Prints notices live until the signal. */
export async function follow(
  ask: AskNotices,
  flags: NoticesFlags,
  writer: NoticesWriter,
  signal: AbortSignal,
): Promise<void> {
  const { consumer, task, owner, tag } = flags;
  const stream = followNotices({ consumer, task, owner, tag, signal, ack: 'manual' }, ask);
  for await (const notice of stream) {
    await writer.lines(flags.json ? [jsonText(notice)] : shownNotice(notice));
    if (flags.bell && !notice.repeat) writer.ring();
    // Acknowledged after printing, so that an error loses nothing.
    if (flags.ack) await stream.acknowledge();
  }
}

/** `unstuck notices --follow`. Ctrl-C is its normal end. */
export async function followToTerminal(call: Call, flags: NoticesFlags, writer: OwnWriter): Promise<void> {
  const stop = new AbortController();
  let code = 0;
  const release = onInterrupt((usual) => {
    // The second interrupt does not wait.
    if (stop.signal.aborted) endNow(code, true);
    code = usual === 130 ? 0 : usual;
    stop.abort();
    writer.giveUp();
  });
  if (process.stderr.isTTY) note('waiting for notices; Ctrl-C ends');
  try {
    await follow(retrying(call, stop.signal), flags, writer, stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    release();
  }
  if (writer.isBlocked) endNow(code, true);
  process.exitCode = code;
}
