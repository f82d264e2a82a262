import { describe, expect, it, vi } from 'vitest';
import { patienceMs } from '../../../support/patience.js';
import { useBackgroundHome } from '../background-home.js';
import { TerminalWindow } from './attach-terminal.js';

const background = useBackgroundHome();

const script = 'echo ready; cat; echo GOT-EOF; exec sleep 1000';

function openWindow(args: string[], isControlling = true): TerminalWindow {
  const env = { ...process.env, UNSTUCK_HOME: background.home.path, TERM: 'xterm', NO_COLOR: '1' };
  return new TerminalWindow(args, env, isControlling);
}

const until = (what: string, condition: () => unknown) =>
  vi.waitFor(
    () => {
      if (!condition()) throw new Error(`never: ${what}`);
    },
    { timeout: patienceMs, interval: 20 },
  );

describe.concurrent('the window of an attach is closed', () => {
  for (const input of ['--pty', '--stdin']) {
    for (const isControlling of [true, false]) {
      it(`the run does not notice (${input}, ${isControlling ? 'SIGHUP' : 'no signal'})`, async () => {
        const { home } = background;
        const id = await home.start(input, '--', 'sh', '-c', script);
        const window = openWindow(['attach', id], isControlling);
        await until('the attach', () => window.shown.includes('ready'));
        window.close();
        expect(await window.done).toEqual({ code: 129, signal: null });
        await home.run(['submit', id, 'still there']);
        const log = async () => (await home.json(['log', id])).lines.join('\n');
        await vi.waitFor(async () => expect(await log()).toContain('still there'), { timeout: patienceMs });
        expect(await log()).not.toContain('GOT-EOF');
      });
    }
  }

  it('Ctrl-D on a terminal ends the input of a pipe, and the attach goes on', async () => {
    const { home } = background;
    const id = await home.start('--stdin', '--', 'sh', '-c', script);
    const window = openWindow(['attach', id]);
    await until('the attach', () => window.shown.includes('ready'));
    window.type('\x04');
    await until('the end of the input', () => window.shown.includes('GOT-EOF'));
    window.close();
    expect(await window.done).toEqual({ code: 129, signal: null });
  });

  it('a file that ends is the end of the input, for a terminal too', async () => {
    const { home } = background;
    const id = await home.start('--pty', '--', 'sh', '-c', 'cat; echo GOT-EOF');
    const attach = home.open(['attach', '--detach-keys', 'ctrl-p,ctrl-q', id], 'a line\n');
    expect(await attach.done).toBe(0);
    expect(attach.stdout).toContain('GOT-EOF');
  });
});

describe.concurrent('the window of another command is closed', () => {
  it.each([
    [['log', '-f'], 'ready'],
    [['wait', '--until', 'exit'], 'cat'],
  ])('%j ends without a crash', async (command, shown) => {
    const id = await background.home.start('--stdin', '--', 'sh', '-c', script);
    const window = openWindow([...command, id]);
    await until('the command', () => window.shown.includes(shown));
    window.close();
    expect(await window.done).toEqual({ code: 129, signal: null });
  });

  it.each([[[]], [['--pty']], [['--no-pty']]])(
    'run %j ends as its command, without a crash',
    async (flags) => {
      const window = openWindow(['run', ...flags, '--', 'sh', '-c', 'echo ready; exec sleep 1000']);
      await until('the command', () => window.shown.includes('ready'));
      window.close();
      expect(await window.done).toEqual({ code: null, signal: 'SIGHUP' });
    },
  );
});
