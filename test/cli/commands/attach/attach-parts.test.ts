import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { parseDetachKeys, press } from '../../../../src/cli/commands/attach/detach-keys.js';
import { KeySender } from '../../../../src/cli/commands/attach/key-sender.js';
import { TerminalModes } from '../../../../src/cli/commands/attach/terminal-modes.js';

const bytes = (text: string) => Buffer.from(text, 'latin1');

describe('keys that leave a run', () => {
  it.each([
    ['ctrl-]', [0x1d]],
    ['ctrl-p,ctrl-q', [0x10, 0x11]],
    ['CTRL-A,d', [0x01, 0x64]],
    ['ctrl-@', [0]],
    ['ctrl-\\', [0x1c]],
  ])('%s', (text, keys) => {
    expect([...parseDetachKeys(text)]).toEqual(keys);
  });

  it.each(['', 'ctrl-', 'ctrl-1', 'esc', 'ctrl-p,', 'a,b,c,d,e,f,g,h,i', 'é'])(
    '%j is no list of keys',
    (text) => {
      expect(() => parseDetachKeys(text)).toThrow(
        `--detach-keys is ${JSON.stringify(text)}, which is not a list of keys`,
      );
    },
  );

  const two = parseDetachKeys('ctrl-p,ctrl-q');

  it('what stands before them is sent, what stands behind is dropped', () => {
    expect(press(bytes('ls\x1dx'), parseDetachKeys('ctrl-]'), 0)).toEqual({
      send: bytes('ls'),
      held: 0,
      detach: true,
    });
  });

  it('the first of two is held back until it is clear what was meant', () => {
    const first = press(bytes('a\x10'), two, 0);
    expect(first).toEqual({ send: bytes('a'), held: 1, detach: false });
    expect(press(bytes('\x11'), two, first.held).detach).toBe(true);
    expect(press(bytes('b'), two, first.held)).toEqual({ send: bytes('\x10b'), held: 0, detach: false });
    expect(press(bytes('\x10'), two, first.held)).toEqual({ send: bytes('\x10'), held: 1, detach: false });
  });

  test.prop([
    fc.array(fc.array(fc.constantFrom(0x10, 0x11, 0x61))),
    fc.constantFrom('ctrl-p,ctrl-q', 'ctrl-p,ctrl-p,ctrl-q'),
  ])('it does not matter how bytes come in pieces: no byte is lost or out of order', (pieces, text) => {
    const keys = parseDetachKeys(text);
    const all = Buffer.from(pieces.flat());
    const at = all.indexOf(keys);
    let held = 0;
    let detached = false;
    const sent: Buffer[] = [];
    for (const piece of pieces) {
      if (detached) break;
      const pressed = press(Buffer.from(piece), keys, held);
      sent.push(pressed.send);
      held = pressed.held;
      detached = pressed.detach;
    }
    expect(detached).toBe(at >= 0);
    expect(Buffer.concat(sent)).toEqual(at >= 0 ? all.subarray(0, at) : all.subarray(0, all.length - held));
  });
});

describe('what a program does to the terminal', () => {
  const modesAfter = (...chunks: string[]) => {
    const modes = new TerminalModes();
    for (const chunk of chunks) modes.read(bytes(chunk));
    return modes;
  };

  it('another screen, no cursor and the mouse are undone, last first', () => {
    const modes = modesAfter('\x1b[?1049hvim\x1b[?25l\x1b[?1000;1006h');
    expect(modes.enter).toBe('\x1b[?1049h\x1b[?25l\x1b[?1000h\x1b[?1006h');
    expect(modes.leave).toBe('\x1b[?1006l\x1b[?1000l\x1b[?25h\x1b[?1049l\x1b[0m');
  });

  it('what it put back itself is left alone', () => {
    const modes = modesAfter('\x1b[?1049h\x1b[?25l', 'x', '\x1b[?25h\x1b[?1049l');
    expect([modes.enter, modes.leave]).toEqual(['', '\x1b[0m']);
  });

  it('a sequence in two pieces counts', () => {
    for (let cut = 1; cut < 8; cut += 1) {
      const text = '\x1b[?1049h';
      expect(modesAfter(`x${text.slice(0, cut)}`, `${text.slice(cut)}y`).enter).toBe(text);
    }
  });
});

describe('keystrokes on their way', () => {
  it('sends a single request at a time, in order; keys pressed meanwhile go together', async () => {
    const sent: string[] = [];
    let inFlight = 0;
    let most = 0;
    const sender = new KeySender(
      async (data) => {
        inFlight += 1;
        most = Math.max(most, inFlight);
        sent.push(data.toString());
        await new Promise((resolve) => setImmediate(resolve));
        inFlight -= 1;
      },
      () => {},
    );
    sender.press(bytes('a'));
    sender.press(bytes('b'));
    await sender.press(bytes('c'));
    await sender.press(bytes('d'));
    expect(sent).toEqual(['a', 'bc', 'd']);
    expect(most).toBe(1);
  });

  it('reports a key that could not be sent, and does not keep it', async () => {
    const trouble: unknown[] = [];
    const sender = new KeySender(
      () => Promise.reject(new Error('gone')),
      (error) => trouble.push(error),
    );
    await sender.press(bytes('a'));
    expect(trouble).toHaveLength(1);
    expect(sender.waitingBytes).toBe(0);
  });
});
