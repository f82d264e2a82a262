import { Failure } from '../../../model/failure.js';

export const detachKeysDefault = 'ctrl-]';

const keysMax = 8;

/** `ctrl-]`, or a sequence: `ctrl-p,ctrl-q`. */
export function parseDetachKeys(text: string): Buffer {
  const keys = text.split(',').map((key) => {
    const control = /^ctrl-([a-z@[\\\]^_])$/i.exec(key)?.[1];
    if (control !== undefined) return control.toUpperCase().charCodeAt(0) & 0x1f;
    return /^[\x21-\x7e]$/.test(key) ? key.charCodeAt(0) : -1;
  });
  if (keys.length <= keysMax && !keys.includes(-1)) return Buffer.from(keys);
  throw new Failure(
    'bad-input',
    `--detach-keys is ${JSON.stringify(text)}, which is not a list of keys`,
    'write it like this: --detach-keys ctrl-], --detach-keys ctrl-p,ctrl-q',
  );
}

export interface Pressed {
  /** Bytes to send to the run. */
  send: Buffer;
  /** Number of detach keys pressed so far; they are held back until it is clear that they do not detach. */
  held: number;
  detach: boolean;
}

const beginsWith = (keys: Buffer, pressed: readonly number[]) =>
  pressed.length <= keys.length && pressed.every((byte, index) => byte === keys[index]);

/** Interprets bytes from the keyboard, after `held` detach keys. */
export function press(bytes: Uint8Array, keys: Buffer, held: number): Pressed {
  const send: number[] = [];
  let pressed = [...keys.subarray(0, held)];
  for (const byte of bytes) {
    pressed.push(byte);
    while (!beginsWith(keys, pressed)) {
      send.push(pressed[0] as number);
      pressed = pressed.slice(1);
    }
    if (pressed.length === keys.length) return { send: Buffer.from(send), held: 0, detach: true };
  }
  return { send: Buffer.from(send), held: pressed.length, detach: false };
}
