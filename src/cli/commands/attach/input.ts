import tty from 'node:tty';
import { Failure } from '../../../model/failure.js';
import type { Call } from '../../shared/call.js';
import { hungUpCode } from '../../shared/end-now.js';
import { press } from './detach-keys.js';
import { KeySender } from './key-sender.js';

/** With more than this unsent, the keyboard (or a pipe) is paused. */
const waitingMax = 256 * 1024;

export interface AttachInput {
  call: Call;
  id: string;
  isPty: boolean;
  keys: Buffer;
  /** Called with the exit code. */
  detach(code: number): void;
  failed(error: unknown): void;
}

/** Passes on what is typed until the detach keys; returns a function that releases the keyboard. */
export function attachInput({ call, id, isPty, keys, detach, failed }: AttachInput): () => void {
  const input = process.stdin;
  const isRaw = isPty && input.isTTY === true;
  // A program that does not read must not block us: unread input is kept for it.
  const sender = new KeySender(
    (bytes) => call('write', { id, data: bytes.toString('base64'), encoding: 'base64', timeoutS: 0 }),
    failed,
  );
  let held = 0;
  const typed = (bytes: Buffer) => {
    const pressed = press(bytes, keys, held);
    held = pressed.held;
    const sent = sender.press(pressed.send);
    if (pressed.detach) return void sent.then(() => detach(0));
    if (sender.waitingBytes > waitingMax) {
      input.pause();
      void sent.then(() => input.resume());
    }
  };
  const ended = async () => {
    // Closing the window is not Ctrl-D, and on a raw terminal Ctrl-D is a normal key.
    if (input.isTTY && (isRaw || !tty.isatty(0))) return detach(hungUpCode);
    await sender.press(keys.subarray(0, held));
    await call('close', { id }).catch(failed);
  };
  const broken = ({ message }: Error) => {
    if (input.isTTY) return detach(hungUpCode);
    const hint = `follow its output: unstuck log ${id} -f`;
    failed(new Failure('bad-input', `cannot read the input: ${message}`, hint));
  };
  const restore = () => {
    if (isRaw && tty.isatty(0)) input.setRawMode(false);
  };
  // However this process ends, the terminal is restored.
  process.once('exit', restore);
  if (isRaw) input.setRawMode(true);
  input.on('data', typed).once('end', ended).on('error', broken);
  return () => {
    input.off('data', typed).off('end', ended).pause();
    restore();
    process.off('exit', restore);
  };
}
