import { once } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { RunInput } from '../../../src/run/input/run-input.js';
import { useProgram } from './programs.js';
import { soon, startBackground, until } from './start-background.js';

const writer = useProgram(new URL('./write-lines.program.ts', import.meta.url));

/** As another daemon would do it after the end of the first. */
const anew = (directory: ConstructorParameters<typeof RunInput>[0]) => new RunInput(directory, 'pipe');

describe('input arrives once, whichever process ends meanwhile', () => {
  it('a request that is made again does nothing twice, also by the next daemon', async () => {
    const run = startBackground(['cat']);
    const first = run.input.write(Buffer.from('one\n'), 'a');
    expect(run.input.write(Buffer.from('one\n'), 'a')).toEqual(first);
    const next = anew(run.directory);
    expect(next.write(Buffer.from('one\n'), 'a')).toEqual(first);
    expect(() => next.write(Buffer.from('other'), 'a')).toThrow(/made before/);
    next.write(Buffer.from('two\n'), 'b');
    next.close('c');
    const last = anew(run.directory);
    expect(last.isClosed).toBe(true);
    expect(last.close('c')).toEqual({ closed: true });
    await until(() => run.exit() === 0 && run.alive().length === 0, 'its end');
    expect(run.output()).toBe('one\ntwo\n');
    // All of it was delivered: the same again is no failure, even when the command is gone.
    expect(last.write(Buffer.from('one\n'), 'a')).toEqual(first);
    for (const input of [next, last]) input.forget();
  });

  it('killed between note and append: made again it is done, whole or the rest of it', async () => {
    const run = startBackground(['cat']);
    run.input.write(Buffer.from('one\n'), 'a');
    const note = (requestId: string, length: number) =>
      appendFileSync(
        run.directory.file('input.jsonl'),
        `${JSON.stringify({ requestId, offset: run.input.pending + run.input.delivered, length })}\n`,
      );
    note('b', 4);
    const second = anew(run.directory);
    second.ring();
    second.write(Buffer.from('two\n'), 'b');
    appendFileSync(
      run.directory.file('input.jsonl'),
      `${JSON.stringify({ requestId: 'c', offset: 8, length: 6 })}\n`,
    );
    appendFileSync(run.directory.file('input'), 'thr');
    const third = anew(run.directory);
    third.ring();
    expect(third.pending + third.delivered).toBe(8);
    third.write(Buffer.from('three\n'), 'c');
    third.close('d');
    await until(() => run.exit() === 0 && run.alive().length === 0, 'its end');
    expect(run.output()).toBe('one\ntwo\nthree\n');
    for (const input of [second, third]) input.forget();
  });

  it('killed between note and append, and never made again: nothing of it arrives, and all that follows', async () => {
    const run = startBackground(['cat']);
    run.input.write(Buffer.from('one\n'), 'a');
    const line = JSON.stringify({ requestId: 'b', offset: 4, length: 4000 });
    appendFileSync(run.directory.file('input.jsonl'), `${line}\n`);
    appendFileSync(run.directory.file('input'), 'half of it');
    const next = anew(run.directory);
    next.write(Buffer.from('two\n'), 'c');
    // Later it is made after all: a new request.
    const later = anew(run.directory);
    expect(later.write(Buffer.from('late\n'), 'b')).toEqual({ end: 13 });
    later.close('d');
    await until(() => run.exit() === 0 && run.alive().length === 0, 'its end');
    expect(run.output()).toBe('one\ntwo\nlate\n');
    for (const input of [next, later]) input.forget();
  });

  it('killed between append and ring: the next writer rings', async () => {
    const run = startBackground(['cat']);
    await run.leader();
    const line = JSON.stringify({ requestId: 'a', offset: 0, length: 4 });
    appendFileSync(run.directory.file('input.jsonl'), `${line}\n`);
    appendFileSync(run.directory.file('input'), 'one\n');
    const next = anew(run.directory);
    expect(next.pending).toBe(4);
    next.ring();
    expect(await next.awaitDelivered(4, soon)).toBe(true);
    await until(() => run.output() === 'one\n', 'the line');
    next.forget();
  });

  it('a note that was not written to its end was never made', async () => {
    const run = startBackground(['cat']);
    run.input.write(Buffer.from('one\n'), 'a');
    const notes = run.directory.file('input.jsonl');
    appendFileSync(notes, '{"requestId":"b","offs');
    const next = anew(run.directory);
    next.write(Buffer.from('two\n'), 'b');
    const last = anew(run.directory);
    expect(last.write(Buffer.from('three\n'), 'c')).toEqual({ end: 14 });
    expect(last.write(Buffer.from('two\n'), 'b')).toEqual({ end: 8 });
    last.close('d');
    await until(() => run.exit() === 0 && run.alive().length === 0, 'its end');
    expect(run.output()).toBe('one\ntwo\nthree\n');
    for (const input of [next, last]) input.forget();
  });

  it('a writer that is killed again and again: every line arrives, once and in order', async () => {
    const run = startBackground(['cat']);
    let count = 250;
    let kills = 0;
    for (let sure = 0; sure < count; ) {
      const child = writer.start(run.directory.path, String(sure), String(count));
      let said = '';
      child.stdout?.on('data', (chunk: Buffer) => {
        said += chunk.toString();
      });
      const closed = once(child, 'close');
      // Not before it writes, or nothing would ever be done.
      await Promise.race([once(child.stdout ?? child, 'data'), closed]);
      await Promise.race([delay(Math.random() * 15), closed]);
      if (child.exitCode === null) kills += Number(child.kill('SIGKILL'));
      await closed;
      const lines = said.split('\n').slice(0, -1);
      sure = lines.length === 0 ? sure : Number(lines.at(-1)) + 1;
      // On a busy machine it may be done before the kill: then there is more to write.
      if (sure === count && kills < 3) count += 50;
    }
    const last = anew(run.directory);
    last.ring();
    last.close('end');
    await until(() => run.exit() === 0 && run.alive().length === 0, 'its end');
    const expected = Array.from({ length: count }, (_, at) => `${at} ${'x'.repeat(at % 5000)}\n`).join('');
    expect(run.output() === expected).toBe(true);
    expect(kills).toBeGreaterThan(2);
    last.forget();
  });

  it('ten thousand requests do not make the notes grow', async () => {
    const run = startBackground(['wc', '-c']);
    for (let at = 0; at < 10_000; at += 1) run.input.write(Buffer.from('x'), `request ${at}`);
    const next = anew(run.directory);
    expect(next.write(Buffer.from('x'), 'request 9999')).toEqual({ end: 10_000 });
    next.close('end');
    await until(() => run.exit() === 0 && run.alive().length === 0, 'its end');
    expect(run.output()).toBe('10000\n');
    expect(readFileSync(run.directory.file('input.jsonl'), 'utf8').split('\n').length).toBeLessThan(4200);
    next.forget();
  });
});
