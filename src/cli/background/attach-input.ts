import type { Call } from './call.js';
import { press } from './detach-keys.js';
import { KeySender } from './key-sender.js';

/** Ctrl-D: what the end of the input is on a terminal. */
const endOfInput = Buffer.from([4]);
/** With more than this on its way, the keyboard (or a pipe) has to wait. */
const waitingMax = 256 * 1024;

export interface AttachInput {
  call: Call;
  id: string;
  isPty: boolean;
  keys: Buffer;
  detach(): void;
  failed(error: unknown): void;
}

/** Passes on what is typed, until the keys that detach; returns how to let go of the keyboard. */
export function attachInput({ call, id, isPty, keys, detach, failed }: AttachInput): () => void {
  const input = process.stdin;
  const isRaw = isPty && input.isTTY === true;
  // A program that does not read must not make us wait: what it has not read is kept for it.
  const sender = new KeySender(
    (bytes) => call('write', { id, data: bytes.toString('base64'), encoding: 'base64', timeoutS: 0 }),
    failed,
  );
  let held = 0;
  const typed = (bytes: Buffer) => {
    const pressed = press(bytes, keys, held);
    held = pressed.held;
    const sent = sender.press(pressed.send);
    if (pressed.detach) return void sent.then(detach);
    if (sender.waitingBytes > waitingMax) {
      input.pause();
      void sent.then(() => input.resume());
    }
  };
  const ended = async () => {
    await sender.press(isPty ? endOfInput : Buffer.alloc(0));
    if (!isPty) await call('close', { id }).catch(failed);
  };
  const restore = () => {
    if (isRaw) input.setRawMode(false);
  };
  // Whatever ends us, the terminal is usable again.
  process.once('exit', restore);
  if (isRaw) input.setRawMode(true);
  input.on('data', typed).once('end', ended);
  return () => {
    input.off('data', typed).off('end', ended).pause();
    restore();
    process.off('exit', restore);
  };
}
