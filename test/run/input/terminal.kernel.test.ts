import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { RunInput } from '../../../src/run/input/run-input.js';
import { known } from '../../support/known.js';
import { useProgram } from './programs.js';
import { makeRun, readRun, soon, startBackground, until } from './start-background.js';

const launcher = useProgram(new URL('./launch.program.ts', import.meta.url));

const onTerminal = { input: 'pty' } as const;

describe('a run on a terminal', () => {
  it('it is 30 x 120, and leads its session', async () => {
    const script = 'test -t 0 && test -t 1 && test -t 2 && stty size && echo one >/dev/tty; exit 4';
    const run = startBackground(['sh', '-c', script], onTerminal);
    await until(() => run.exit() === 4 && run.alive().length === 0, 'its end');
    expect(run.output()).toBe('30 120\r\none\r\n');
    expect(known(run.directory.outputLost)).toBe(null);
  });

  it('what is written is typed, with an echo; close is the key for the end of input, and more may follow', async () => {
    const run = startBackground(['sh', '-c', 'cat; echo first; cat; echo second; exit 6'], onTerminal);
    const { end } = run.input.write(Buffer.from('one\n'), 'a');
    expect(await run.input.awaitDelivered(end, soon)).toBe(true);
    await until(() => run.output() === 'one\r\none\r\n', 'an echo, and the line');
    expect(run.input.close('b')).toEqual({ closed: true });
    expect(run.input.close('b')).toEqual({ closed: true });
    await until(() => run.output().endsWith('first\r\n'), 'the end of the first');
    run.input.write(Buffer.from('two\n'), 'c');
    expect(run.input.close('d')).toEqual({ closed: true });
    await until(() => run.exit() === 6 && run.alive().length === 0, 'its end');
    expect(run.output().replaceAll('^D\b\b', '')).toBe('one\r\none\r\nfirst\r\ntwo\r\ntwo\r\nsecond\r\n');
  });

  it('a new size reaches the command as a signal', async () => {
    const script = 'trap "stty size; exit 0" WINCH; echo ready; while :; do sleep 0.05; done';
    const run = startBackground(['sh', '-c', script], onTerminal);
    await until(() => run.output() === 'ready\r\n', 'a trap');
    run.input.resize({ rows: 50, columns: 99 });
    await until(() => run.exit() === 0 && run.alive().length === 0, 'its end');
    expect(run.output()).toBe('ready\r\n50 99\r\n');
    expect(() => run.input.resize({ rows: 1, columns: 1 })).toThrow(/closed/);
  });

  it('Ctrl-C is a key', async () => {
    const run = startBackground(
      ['sh', '-c', 'trap "exit 9" INT; echo ready; while :; do sleep 0.05; done'],
      onTerminal,
    );
    await until(() => run.output() === 'ready\r\n', 'a trap');
    run.input.write(Buffer.from('\x03'), 'a');
    await until(() => run.exit() === 9, 'its end');
  });

  it('the last byte of a quick command is never lost', async () => {
    const runs = Array.from({ length: 30 }, (_, at) =>
      at % 2 === 0
        ? startBackground(['printf', 'last'], onTerminal)
        : startBackground(['seq', '2000'], onTerminal),
    );
    const lines = Array.from({ length: 2000 }, (_, at) => `${at + 1}\r\n`).join('');
    for (const [at, run] of runs.entries()) {
      await until(() => run.exit() === 0 && run.alive().length === 0, 'its end');
      expect([at, run.output().length]).toEqual([at, at % 2 === 0 ? 4 : lines.length]);
    }
  });

  it('a leftover that keeps the terminal open does not hold back the output of the command', async () => {
    const script = 'trap "" HUP; sleep 300 & printf "left %s" $!; exit 2';
    const run = startBackground(['sh', '-c', script], onTerminal);
    const left = () => /^left (\d+)$/.exec(run.output())?.[1];
    await until(() => run.exit() === 2 && left() !== undefined, 'its end and its output');
    const output = run.output();
    await until(() => run.alive().includes('sleep'), 'a process that is left behind');
    process.kill(Number(left()));
    await until(() => run.alive().length === 0, 'nobody left');
    expect(run.output()).toBe(output);
    expect(known(run.directory.outputLost)).toBe(null);
  });

  it('output, size and input work after the process that started it was killed', async () => {
    const { directory, mark, id } = makeRun();
    const asks = 'stty size; read -r line; echo "got $line"; exit 3';
    const script = `trap '${asks}' WINCH; echo ready; while :; do sleep 0.05; done`;
    const env = JSON.stringify({ PATH: process.env.PATH, UNSTUCK_TEST_CASE: mark });
    const child = launcher.start(directory.path, 'pty', env, 'sh', '-c', script);
    const closed = once(child, 'close');
    const [said] = (await once(child.stdout ?? child, 'data')) as [Buffer];
    child.kill('SIGKILL');
    await closed;
    const run = readRun({ directory, mark, id, shim: Number(said.toString()), input: 'pty' });
    await until(() => run.output() === 'ready\r\n', 'its output');
    const input = new RunInput(directory, 'pty');
    input.resize({ rows: 10, columns: 20 });
    await until(() => run.output().includes('10 20'), 'a new size');
    input.write(Buffer.from('one\n'), 'a');
    await until(() => run.exit() === 3 && run.alive().length === 0, 'its end');
    expect(run.output()).toMatch(/^ready\r\n10 20\r\none\r\ngot one\r\n$/);
    input.forget();
  });
});
